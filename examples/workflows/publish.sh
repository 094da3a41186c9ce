#!/bin/sh
# Makes a space say what a folder says, and waits until it does.
# Takes the folder; BINDERY_URL is the address of the service, BINDERY_SPACE and BINDERY_ORGANIZATION are ids, and BINDERY_TOKEN
# is a token of somebody who may replace the content of the space.
set -eu
: "${BINDERY_URL:?}" "${BINDERY_TOKEN:?}" "${BINDERY_ORGANIZATION:?}" "${BINDERY_SPACE:?}"
answer="$(mktemp -d)"
trap 'rm -r "$answer"' EXIT

# Calls the interface with a path and further arguments of curl; the token is no argument, so other processes do not see it.
call() {
  path="$1"
  shift
  printf 'header = "Authorization: Bearer %s"\n' "$BINDERY_TOKEN" |
    curl --silent --show-error --fail-with-body --config - --output "$answer/run.json" "$@" "$BINDERY_URL/v1$path" ||
    { cat "$answer/run.json" 2>/dev/null >&2; exit 1; }
}

# A field of the latest answer, or nothing.
field() {
  node -e 'const [file, name] = process.argv.slice(1);
    console.log(JSON.parse(require("node:fs").readFileSync(file, "utf8"))[name] ?? "");' "$answer/run.json" "$1"
}

tar -c -z -f "$answer/folder.tar.gz" -C "$1" .
call "/spaces/$BINDERY_SPACE/import" --header 'Content-Type: application/gzip' --data-binary "@$answer/folder.tar.gz"
run="$(field id)"
while :; do
  call "/org/$BINDERY_ORGANIZATION/imports/$run?wait=30"
  case "$(field status)" in
    completed) echo "The space says what $1 says."; exit 0 ;;
    failed | cancelled) echo "The import did not end: $(field error)" >&2; exit 1 ;;
  esac
done
