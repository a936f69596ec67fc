package main

import (
	"crypto/sha256"
	"fmt"
)

// read is what a person has found in a text that the program does not recognise. It is valid for that very text: a changed text
// must be read anew.
type read struct {
	module, file string
	// sum is the first half of the text's SHA-256.
	sum string
	// licences are their names in SPDX. There are none if the text is about nothing that is linked.
	licences []string
	// with is a file that the text refers to, and that must go with it; "" for none.
	with string
}

// byHand are all texts that a person has read.
var byHand = []read{
	{
		module: "github.com/ajstarks/svgo", file: "LICENSE-link.txt", sum: "faef26bb83b741b22eed4593980048f1",
		licences: []string{"CC-BY-4.0"},
	},
	// One may choose between this and the GPL.
	{
		module: "github.com/golang/freetype", file: "LICENSE", sum: "d3ba056adc2b7909e95681deaae397fb",
		licences: []string{"FTL"}, with: "licenses/ftl.txt",
	},
	// These two list the licences of several modules. Here are those of modules that, as they say, are linked. The MPL
	// in the second belongs to a module that is not.
	{
		module: "modernc.org/libc", file: "LICENSE-3RD-PARTY.md", sum: "f597097efe3d97021f89170746bd3a0f",
		licences: []string{"BSD-3-Clause", "MIT"},
	},
	{
		module: "modernc.org/sqlite", file: "LICENSE-3RD-PARTY.md", sum: "b4366b9c27a9364633e015011a231913",
		licences: []string{"BSD-3-Clause", "MIT"},
	},
	// The dedication to the public domain, which has no name in SPDX.
	{
		module: "modernc.org/sqlite", file: "LICENSE-SQLITE", sum: "8438c9c89b849131ead81d5435cb97fc",
		licences: []string{"public domain"},
	},
	// The address of a picture.
	{module: "modernc.org/memory", file: "LICENSE-LOGO", sum: "5ae5bee3072a841376451b48d8cfcec7"},
}

// handRead returns the row of byHand for a module's text, nil if nobody has read that very text.
func handRead(module, file string, text []byte) *read {
	sum := sha256.Sum256(text)
	for i := range byHand {
		if r := &byHand[i]; r.module == module && r.file == file && r.sum == fmt.Sprintf("%x", sum[:16]) {
			return r
		}
	}
	return nil
}
