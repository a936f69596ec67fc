package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
	"interregnum/internal/gate"
)

func tuning() *gate.Tuning {
	t := &gate.Tuning{}
	t.Wish.Config.Profile.Name = "<own> & odd"
	for i := range 5 {
		t.Frontier = append(t.Frontier, gate.Choice{
			Outage: time.Duration(i) * 3 * time.Second, Failover: time.Duration(i+1) * 7 * time.Second})
	}
	t.Best = &gate.Choice{Outage: 3 * time.Second, Failover: 14 * time.Second}
	t.Best.Config = bound.Config{}
	t.Best.Config.LeaseDuration = 15 * time.Second
	return t
}

// TestSVG: the picture is well-formed whatever is named, and has a mark for each configuration within its frame.
func TestSVG(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Frontier(&out, tuning(), "svg"))
	circles, texts := 0, ""
	for d := xml.NewDecoder(strings.NewReader(out.String())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local != "circle" {
				continue
			}
			circles++
			var x, y float64
			_, err := fmt.Sscan(e.Attr[0].Value+" "+e.Attr[1].Value, &x, &y)
			require.NoError(t, err)
			assert.True(t, x >= left && x <= right && y >= top && y <= bottom, "%v %v", x, y)
		case xml.CharData:
			texts += string(e)
		}
	}
	assert.Equal(t, 5+1, circles)
	assert.Contains(t, texts, "<own> & odd")
	assert.Contains(t, texts, "15s/0s/0s, timeout none")
}

// TestPNG: each configuration is a spot of the frontier's colour where the SVG has its circle.
func TestPNG(t *testing.T) {
	var out bytes.Buffer
	tune := tuning()
	require.NoError(t, Frontier(&out, tune, "png"))
	picture, err := png.Decode(&out)
	require.NoError(t, err)
	assert.Equal(t, width, picture.Bounds().Dx())
	s := newScales(tune)
	for i := range tune.Frontier {
		x, y := s.at(tune.Frontier[i].Outage, tune.Frontier[i].Failover)
		r, g, b, _ := picture.At(pixel(x), pixel(y)).RGBA()
		assert.Equal(t, [3]uint32{0x1f, 0x5f, 0xa8}, [3]uint32{r >> 8, g >> 8, b >> 8}, "%d", i)
	}
}

// TestNothing: a tuning that has found nothing is an empty frame.
func TestNothing(t *testing.T) {
	for _, form := range []string{"svg", "png"} {
		assert.NoError(t, Frontier(io.Discard, &gate.Tuning{}, form))
	}
	assert.ErrorContains(t, Frontier(io.Discard, tuning(), "gif"), "want svg or png")
}

// TestRounded: an axis has between two ticks and mostTicks, and ends where the last one is.
func TestRounded(t *testing.T) {
	for _, most := range []float64{0.001, 0.99, 1, 1.01, 7, 10, 23.5, 49.9, 99, 100, 101, 12345} {
		step, end := rounded(most)
		assert.GreaterOrEqual(t, end, most)
		assert.LessOrEqual(t, end/step, mostTicks+0.0, "%v", most)
		assert.GreaterOrEqual(t, end/step, 2.0, "%v", most)
	}
}
