package page

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

// document is a self-contained page made of files of the folder page. Its policy allows only the
// style and the script that it contains.
type document struct {
	title   string
	styles  []string
	body    string
	scripts []string
	data    any // what the script reads
	// before and behind write more elements before and behind the script; nil: none.
	before, behind func(*bufio.Writer) error
}

func (d *document) write(w io.Writer) error {
	data, err := json.Marshal(d.data) // Marshal escapes <, > and &
	if err != nil {
		return err
	}
	style, err := joined(d.styles)
	if err != nil {
		return err
	}
	code, err := joined(d.scripts)
	if err != nil {
		return err
	}
	script := "(() => {\n\"use strict\";\n" + code + "})();\n"
	body, err := pageFiles.ReadFile("browser/" + d.body)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="opari report">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src %s; script-src %s;
 base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>%s</style>
</head>
`, hash(style), hash(script), html.EscapeString(d.title), style)
	b.Write(body)
	fmt.Fprintf(b, "<script type=\"application/json\" id=\"data\">%s</script>\n", data)
	if d.before != nil {
		if err := d.before(b); err != nil {
			return err
		}
	}
	fmt.Fprintf(b, "<script>%s</script>\n", script)
	if d.behind != nil {
		if err := d.behind(b); err != nil {
			return err
		}
	}
	b.WriteString("</body>\n</html>\n")
	return b.Flush()
}

// joined returns the text of files of the folder page.
func joined(names []string) (string, error) {
	var b strings.Builder
	for _, name := range names {
		text, err := pageFiles.ReadFile("browser/" + name)
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	return b.String(), nil
}

// hash returns the source expression of a Content-Security-Policy for an inline text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
