package modversion

import "testing"

func TestPublishable(t *testing.T) {
	for version, want := range map[string]bool{
		"v0.1.0": true, "v1.20.3": true, "v1.0.0-rc.1": true, "v1.0.0-alpha-2": true,
		"v1.0.0-01": false, "v1.0": false, "v2.0.0": false, "1.0.0": false, "v1.0.0+x": false, "v1.0.0-": false, "v01.0.0": false, "": false,
	} {
		if got := Publishable(version); got != want {
			t.Errorf("%q: want %v, got %v", version, want, got)
		}
	}
}
