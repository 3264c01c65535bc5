package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Page is an open page.
type Page struct {
	browser *Browser
	session string

	lock     sync.Mutex
	errors   []string
	requests []string
}

// Open opens an address in a window of the given size. From the start, the page records all
// requests and complaints.
func (b *Browser) Open(address string, width, height int) (*Page, error) {
	var target struct {
		ID string `json:"targetId"`
	}
	if err := b.call("", "Target.createTarget", map[string]any{"url": "about:blank"},
		&target); err != nil {
		return nil, err
	}
	var attached struct {
		Session string `json:"sessionId"`
	}
	if err := b.call("", "Target.attachToTarget",
		map[string]any{"targetId": target.ID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	p := &Page{browser: b, session: attached.Session}
	b.lock.Lock()
	b.pages[p.session] = p
	b.lock.Unlock()
	if err := p.call("Performance.enable", map[string]any{"timeDomain": "threadTicks"},
		nil); err != nil {
		return nil, err
	}
	for _, domain := range []string{"Runtime", "Log", "Network", "Page"} {
		if err := p.call(domain+".enable", nil, nil); err != nil {
			return nil, err
		}
	}
	if err := p.Resize(width, height); err != nil {
		return nil, err
	}
	return p, p.Go(address)
}

// Resize gives the window another size, such as that of a phone.
func (p *Page) Resize(width, height int) error {
	size := map[string]any{
		"width": width, "height": height, "deviceScaleFactor": 1,
		"mobile": false,
	}
	return p.call("Emulation.setDeviceMetricsOverride", size, nil)
}

// Go goes to another address.
func (p *Page) Go(address string) error {
	var answer struct {
		Text string `json:"errorText"`
	}
	if err := p.call("Page.navigate", map[string]any{"url": address}, &answer); err != nil {
		return err
	}
	if answer.Text != "" {
		return fmt.Errorf("%s: %s", address, answer.Text)
	}
	return nil
}

func (p *Page) call(method string, params, result any) error {
	return p.browser.call(p.session, method, params, result)
}

// event records the requests and the console messages of the page.
func (p *Page) event(method string, params json.RawMessage) {
	p.lock.Lock()
	defer p.lock.Unlock()
	switch method {
	case "Network.requestWillBeSent":
		var e struct {
			Request struct {
				URL string `json:"url"`
			} `json:"request"`
		}
		if json.Unmarshal(params, &e) == nil {
			p.requests = append(p.requests, e.Request.URL)
		}
	case "Runtime.exceptionThrown":
		p.errors = append(p.errors, string(params))
	case "Log.entryAdded":
		p.errors = append(p.errors, string(params))
	case "Runtime.consoleAPICalled":
		var e struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(params, &e) == nil &&
			(e.Type == "error" || e.Type == "warning" || e.Type == "assert") {
			p.errors = append(p.errors, string(params))
		}
	}
}

// Errors returns the exceptions, the browser's own complaints, and what the page wrote to the
// console as an error or a warning.
func (p *Page) Errors() []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return append([]string(nil), p.errors...)
}

// Requests returns the addresses that the page requested, its own first.
func (p *Page) Requests() []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return append([]string(nil), p.requests...)
}

// Eval evaluates an expression in the page and waits for a promise. It stores the value in
// result, unless that is nil.
func (p *Page) Eval(expression string, result any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if err := p.call("Runtime.evaluate", params, &answer); err != nil {
		return err
	}
	if e := answer.Exception; e != nil {
		return fmt.Errorf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if result == nil || answer.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.Value, result)
}

// Wait waits until an expression is true.
func (p *Page) Wait(expression string, limit time.Duration) error {
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		var is bool
		if err := p.Eval("!!("+expression+")", &is); err == nil && is {
			return nil
		} else if time.Now().After(end) {
			return fmt.Errorf("not in %v: %s (%v) %s", limit, expression, err,
				strings.Join(p.Errors(), "\n"))
		}
	}
}

// Busy returns the processor time that the page's main thread has used, in seconds.
func (p *Page) Busy() (float64, error) {
	var answer struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	if err := p.call("Performance.getMetrics", nil, &answer); err != nil {
		return 0, err
	}
	for _, m := range answer.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value, nil
		}
	}
	return 0, fmt.Errorf("the browser does not say how busy a page is")
}

// Dark makes the page believe that the system uses dark or light colours.
func (p *Page) Dark(dark bool) error {
	value := "light"
	if dark {
		value = "dark"
	}
	feature := map[string]any{"name": "prefers-color-scheme", "value": value}
	return p.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{feature}}, nil)
}

// Picture returns a PNG of an element, which an expression names, or of the window for "".
func (p *Page) Picture(element string) ([]byte, error) {
	params := map[string]any{"format": "png"}
	if element != "" {
		var clip struct {
			X      float64 `json:"x"`
			Y      float64 `json:"y"`
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
			Scale  float64 `json:"scale"`
		}
		err := p.Eval(`(() => { const r = (`+element+`).getBoundingClientRect();
			return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height, scale: 1}
		})()`, &clip)
		if err != nil {
			return nil, err
		}
		params["clip"], params["captureBeyondViewport"] = clip, true
	}
	var picture struct{ Data []byte }
	err := p.call("Page.captureScreenshot", params, &picture)
	return picture.Data, err
}

// Mouse sends an event of the mouse: mouseMoved, mousePressed, mouseReleased, or mouseWheel,
// which turns by wheel. The button is the left one.
func (p *Page) Mouse(kind string, x, y, wheel float64) error {
	params := map[string]any{"type": kind, "x": x, "y": y, "deltaX": 0, "deltaY": wheel}
	switch kind {
	case "mousePressed", "mouseReleased":
		params["button"], params["buttons"], params["clickCount"] = "left", 1, 1
	case "mouseMoved":
		params["button"] = "none"
	}
	return p.call("Input.dispatchMouseEvent", params, nil)
}

// Drag presses the mouse at a place, moves it to another one, and releases it.
func (p *Page) Drag(x0, y0, x1, y1 float64) error {
	if err := p.Mouse("mousePressed", x0, y0, 0); err != nil {
		return err
	}
	for i := 1.0; i <= 4; i++ {
		params := map[string]any{
			"type": "mouseMoved", "x": x0 + (x1-x0)*i/4, "y": y0 + (y1-y0)*i/4,
			"button": "left", "buttons": 1,
		}
		if err := p.call("Input.dispatchMouseEvent", params, nil); err != nil {
			return err
		}
	}
	return p.Mouse("mouseReleased", x1, y1, 0)
}

// Touch sends an event of fingers, by number. touchStart and touchMove give their places.
// touchEnd gives the lifted ones, or none for all.
func (p *Page) Touch(kind string, fingers map[int][2]float64) error {
	points := []any{}
	for id, f := range fingers {
		points = append(points, map[string]any{"x": f[0], "y": f[1], "id": id})
	}
	return p.call("Input.dispatchTouchEvent",
		map[string]any{"type": kind, "touchPoints": points}, nil)
}

// Key presses a key by its name, such as "ArrowDown", or by its letter.
func (p *Page) Key(key string) error {
	params := map[string]any{"type": "keyDown", "key": key}
	if len(key) == 1 {
		params["text"] = key
	}
	if key == "Enter" {
		params["text"] = "\r"
	}
	if err := p.call("Input.dispatchKeyEvent", params, nil); err != nil {
		return err
	}
	return p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
}

// Close closes the page.
func (p *Page) Close() error {
	p.browser.lock.Lock()
	delete(p.browser.pages, p.session)
	p.browser.lock.Unlock()
	return p.call("Page.close", nil, nil)
}
