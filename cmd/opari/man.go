package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return osError(args[0], err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // no date: the pages are a function of the program
			h := &doc.GenManHeader{Title: "OPARI", Section: "1", Source: "opari " + version, Manual: "User Commands"}
			if err := doc.GenManTree(root, h, args[0]); err != nil {
				return osError(args[0], err)
			}
			return nil
		},
	}
}
