package check

import "slices"

// Named returns the property with that name, nil if there is none.
func Named(properties []Property, name string) *Property {
	i := slices.IndexFunc(properties, func(p Property) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &properties[i]
}
