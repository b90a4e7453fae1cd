#!/bin/sh
# The hostile inputs as a part of `make check`; those marked big are left to `make check-hostile`.   sh tests/hostile_inputs/run.sh BUILD
exec sh tests/e2e/hostile_inputs.sh "$@"
