package gate
import ("testing";"os";"fmt";"time";"interregnum/elector/machine";"interregnum/internal/bound")
func TestDebug(t *testing.T){
 d:=func(k string) time.Duration { v:=os.Getenv(k); if v=="" {return 0}; x,err:=time.ParseDuration(v); if err!=nil{panic(err)}; return x}
 var drift int64; fmt.Sscan(os.Getenv("DRIFT"),&drift)
 p,_:=machine.ProfileNamed("client-go"); if os.Getenv("PROFILE")!="" {p,_=machine.ProfileNamed(os.Getenv("PROFILE"))}
 c:=&bound.Config{Timings:machine.Timings{LeaseDuration:d("LD"),RenewDeadline:d("RD"),RetryPeriod:d("RP")},Profile:p,ReleaseOnCancel:os.Getenv("REL")!="",RequestTimeout:d("F")}
 e:=&bound.Environment{MaxRoundTrip:d("R"),MaxDriftPPM:drift,MaxPause:d("P"),Drain:d("W")}
 r,err:=bound.Of(c,e); if err!=nil{panic(err)}
 w:=Witness(c,e,r); f,_:=os.Create("/tmp/dbg.yaml"); w.WriteYAML(f); f.Close()
 fmt.Printf("%+v\n got %v\n",r,overlap(t,w))
}
