package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"opari/internal/browser"
)

// views are the pictures of a report: what is shown, after what was clicked.
var views = []struct{ name, click, shown string }{
	{"findings", "", "#findings"},
	{"trees", "", "#properties"},
	{"efficiency", "", "#efficiency"},
	{"timeline", "", "#timeline-panel"},
	{"flame", "", "#flame"},
}

// pictures draws the views of a report into a folder.
func pictures(report, dir string) error {
	return inBrowser(report, func(p *browser.Page) error {
		for _, v := range views {
			picture, err := p.Picture(
				fmt.Sprintf(`document.querySelector(%q).closest("section")`, v.shown))
			if err != nil {
				return fmt.Errorf("the picture of %s: %w", v.name, err)
			}
			if err := write(filepath.Join(dir, v.name+".png"), picture); err != nil {
				return err
			}
		}
		return nil
	})
}

// The picture of README.md is below the size, in bytes, that a reader notices.
const largest = 150_000

// readmePicture draws the top of the report's page, as a reader first sees it.
func readmePicture(root, opari, name string) error {
	report, err := heat(root, opari)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "opari-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	page := filepath.Join(dir, "heat.html")
	if err := write(page, report); err != nil {
		return err
	}
	drawn := filepath.Join(dir, "report.png")
	err = inBrowser(page, func(p *browser.Page) error {
		picture, err := p.Picture("")
		if err != nil {
			return err
		}
		return write(drawn, picture)
	})
	if err != nil {
		return err
	}
	// A page of text and flat areas keeps its look with a palette, at a third of the size.
	pngquant := exec.Command("pngquant", "--force", "--strip", "--output", drawn, "128", drawn)
	if out, err := pngquant.CombinedOutput(); err != nil {
		return fmt.Errorf("pngquant: %w\n%s", err, out)
	}
	picture, err := os.ReadFile(drawn)
	if err != nil {
		return err
	}
	if len(picture) >= largest {
		return fmt.Errorf("the picture has %d bytes, not less than %d", len(picture), largest)
	}
	return write(name, picture)
}

// inBrowser opens a report as in a window of a common size, in light colours, and waits until it
// has drawn itself.
func inBrowser(report string, use func(*browser.Page) error) error {
	b, err := browser.Start()
	if err != nil {
		return err
	}
	defer b.Close()
	path, err := filepath.Abs(report)
	if err != nil {
		return err
	}
	p, err := b.Open("file://"+path, 1180, 740)
	if err != nil {
		return err
	}
	if err := p.Dark(false); err != nil {
		return err
	}
	if err := p.Wait(`document.querySelector("#flame button") !== null`, time.Minute); err != nil {
		return err
	}
	if err := use(p); err != nil {
		return err
	}
	if wrong := p.Errors(); len(wrong) > 0 {
		return fmt.Errorf("the page says: %v", wrong)
	}
	return nil
}
