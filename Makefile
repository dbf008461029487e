# For engine-testing networks such as OpenBench: `make EXE=name` builds the engine under that name; `./name bench` gives the
# signature and the speed. Everybody else uses cargo.

EXE ?= phao

.PHONY: all clean
all:
	cargo rustc --release --package phao --bin phao -- --emit link=$(EXE)

clean:
	cargo clean
