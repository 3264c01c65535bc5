package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// part is a Go module that a program contains, or Go's standard library.
type part struct {
	path, version string
	sum           string // as in go.sum; "": there is none
}

// parts returns what a program contains, by what Go has noted in it.
func parts(program string) ([]part, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	all := []part{{path: "std", version: strings.TrimPrefix(info.GoVersion, "go")}}
	for _, m := range info.Deps {
		all = append(all, part{m.Path, m.Version, m.Sum})
	}
	slices.SortFunc(all, func(a, b part) int { return cmp.Compare(a.path, b.path) })
	return all, nil
}

// licences returns the texts of the licences of all parts, which each of them asks for.
func (r *release) licences(program string) ([]byte, error) {
	all, err := parts(program)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("opari contains these works. Their licences follow.\n")
	for _, p := range all {
		var dir string
		if p.path == "std" {
			dir, err = output(r.root, "go", "env", "GOROOT")
		} else {
			dir, err = output(r.root, "go", "list", "-m", "-f", "{{.Dir}}", p.path)
		}
		if err != nil {
			return nil, err
		}
		found := false
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.path, err)
		}
		for _, e := range entries {
			name := strings.ToUpper(e.Name())
			if e.IsDir() || !strings.HasPrefix(name, "LICENSE") &&
				!strings.HasPrefix(name, "NOTICE") && !strings.HasPrefix(name, "COPYING") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			found = true
			fmt.Fprintf(&b, "\n==== %s %s, %s\n\n%s\n", p.path, p.version, e.Name(),
				bytes.TrimSpace(text))
		}
		// A distribution's Go keeps its licence elsewhere.
		if !found && p.path != "std" {
			return nil, fmt.Errorf("%s has no licence in %s", p.path, dir)
		}
	}
	return b.Bytes(), nil
}

// These are the parts of an SPDX document, version 2.3, that are written.
type (
	spdxDocument struct {
		Version       string             `json:"spdxVersion"`
		License       string             `json:"dataLicense"`
		ID            string             `json:"SPDXID"`
		Name          string             `json:"name"`
		Namespace     string             `json:"documentNamespace"`
		Creation      spdxCreation       `json:"creationInfo"`
		Packages      []spdxPackage      `json:"packages"`
		Relationships []spdxRelationship `json:"relationships"`
	}
	spdxCreation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	spdxPackage struct {
		ID        string          `json:"SPDXID"`
		Name      string          `json:"name"`
		Version   string          `json:"versionInfo"`
		File      string          `json:"packageFileName,omitempty"`
		Location  string          `json:"downloadLocation"`
		Analyzed  bool            `json:"filesAnalyzed"`
		Concluded string          `json:"licenseConcluded"`
		Declared  string          `json:"licenseDeclared"`
		Copyright string          `json:"copyrightText"`
		Checksums []spdxChecksum  `json:"checksums,omitempty"`
		Refs      []spdxReference `json:"externalRefs,omitempty"`
		Comment   string          `json:"comment,omitempty"`
	}
	spdxChecksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	spdxReference struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	spdxRelationship struct {
		From string `json:"spdxElementId"`
		Kind string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
)

const unsaid = "NOASSERTION"

// contents returns the SPDX document of a program: what Go modules are in it. name is that of the
// product that contains the program.
func (r *release) contents(name, program string) ([]byte, error) {
	text, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	all, err := parts(program)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	hash := hex.EncodeToString(sum[:])
	const self = "SPDXRef-opari"
	doc := spdxDocument{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: name,
		Namespace: "https://spdx.org/spdxdocs/" + name + "-" + hash,
		Creation: spdxCreation{
			r.time.Format(time.RFC3339), []string{"Tool: opari-release-" + r.version},
		},
		Packages: []spdxPackage{{
			ID: self, Name: "opari", Version: r.version, File: "bin/opari", Location: unsaid,
			Concluded: unsaid, Declared: unsaid, Copyright: unsaid,
			Checksums: []spdxChecksum{{"SHA256", hash}}, Comment: "commit " + r.commit,
		}},
		Relationships: []spdxRelationship{{"SPDXRef-DOCUMENT", "DESCRIBES", self}},
	}
	for i, p := range all {
		id := fmt.Sprintf("SPDXRef-module-%d", i+1)
		made := spdxPackage{
			ID: id, Name: p.path, Version: p.version, Location: unsaid, Concluded: unsaid,
			Declared: unsaid, Copyright: unsaid, Refs: []spdxReference{{
				"PACKAGE-MANAGER", "purl", "pkg:golang/" + p.path + "@" + p.version,
			}},
		}
		if p.sum != "" {
			made.Comment = "go.sum: " + p.sum
		}
		doc.Packages = append(doc.Packages, made)
		doc.Relationships = append(doc.Relationships, spdxRelationship{self, "CONTAINS", id})
	}
	made, err := json.MarshalIndent(doc, "", "  ")
	return append(made, '\n'), err
}
