# opari: make, make demo, make check, make test, make bench, make install. See CONTRIBUTING.md.

GO      := scripts/go
PREFIX  ?= /usr/local
BIN     := bin/opari
SOURCES := go.mod go.sum $(shell find cmd descriptors fortran internal ompt_bridge parse pomp rewrite otf otf2 -type f 2>/dev/null)

# The formatter: pinned, fetched by go itself.
GOFUMPT     := $(GO) run mvdan.cc/gofumpt@v0.12.0

# The date in the manual pages: that of the last commit.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)

# What opari version names: the last commit, with + if files were changed since.
COMMIT := $(shell c=$$(git rev-parse HEAD 2>/dev/null) && \
	{ git diff --quiet HEAD && echo $$c || echo $$c+; })

# How long each fuzz target runs.
FUZZTIME ?= 10m

.PHONY: all
all: $(BIN)

# The linker writes its output page by page, and the kernel then maps it so. A copy starts a
# millisecond faster.
$(BIN): $(SOURCES)
	@scripts/install-tools.sh build
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w -X main.commit=$(COMMIT)" -o $@.linked ./cmd/opari
	@cp $@.linked $@.copied && mv $@.copied $@ && rm $@.linked

.PHONY: demo
demo: $(BIN)
	@scripts/install-tools.sh demo
	@$(MAKE) --no-print-directory -C examples/heat demo OPARI=$(CURDIR)/$(BIN)

.PHONY: check
check:
	@scripts/check.sh

.PHONY: test
test:
	@scripts/test.sh

.PHONY: conformance
conformance: $(BIN)
	@scripts/install-tools.sh conformance
	@scripts/conformance.sh

.PHONY: bench
bench: $(BIN)
	@scripts/install-tools.sh bench
	@$(MAKE) --no-print-directory -C bench OPARI=$(CURDIR)/$(BIN)

# The picture in README.md.
.PHONY: picture
picture: $(BIN)
	@scripts/install-tools.sh site
	@$(GO) run ./site -picture docs/report.png

# The documentation site: a folder per release in SITE.
SITE    ?= build/site
RELEASE ?= dev
.PHONY: site
site: $(BIN)
	@scripts/install-tools.sh site
	@$(GO) run ./site -release $(RELEASE) $(SITE)

.PHONY: fuzz
fuzz:
	@scripts/fuzz.sh $(FUZZTIME)

.PHONY: fmt
fmt:
	@$(GOFUMPT) -w $$(git ls-files '*.go')

.PHONY: lint
lint:
	@scripts/install-tools.sh test
	@scripts/lint.sh

.PHONY: install
install: $(BIN)
	install -D -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/opari
	$(BIN) install --prefix $(DESTDIR)$(PREFIX)
	sed -i 's|^prefix=.*|prefix=$(PREFIX)|' $(DESTDIR)$(PREFIX)/lib/pkgconfig/pomp.pc
	$(BIN) install --wrappers $(DESTDIR)$(PREFIX)/bin
	SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(GO) run -tags man ./cmd/opari man $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BIN) completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/opari
	$(BIN) completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_opari
	$(BIN) completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/opari.fish

# What users install: see docs/howto/install.md. make dist VERSION=1.2 OUT=folder
VERSION ?= 0.1-dev
OUT     ?= dist
RELEASE := $(GO) run ./packaging/release -version $(VERSION) -o $(OUT)

.PHONY: dist
dist:
	@scripts/install-tools.sh build
	$(RELEASE) dist

.PHONY: deb rpm
deb rpm:
	@scripts/install-tools.sh $@
	$(RELEASE) $@

# What Spack, conda, Homebrew and podman install the tarballs by: make recipes URL=https://...
.PHONY: recipes
recipes: dist
	$(RELEASE) -url "$(URL)" recipes

# The module by a path of your own: make proxy MODULE=example.org/opari
.PHONY: proxy
proxy:
	$(RELEASE) -module "$(MODULE)" proxy

.PHONY: clean
clean:
	rm -rf bin dist
