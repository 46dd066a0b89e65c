#!/bin/sh
# Creates the secrets of compose.yaml in ./secrets, once. HAVN is what starts havn; by default the image, in docker.
set -eu
umask 022
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "The folder secrets exists already; nothing was changed" >&2
  exit 1
fi
# Containers read the files as users of their own: the folder, not the files, keeps other users out.
mkdir -m 0700 secrets
# A run that fails leaves nothing behind, and can be repeated.
trap 'rm -rf secrets' EXIT
: "${HAVN:=docker run --rm --user $(id -u):$(id -g) --volume $PWD/secrets:/secrets --workdir /
  --env HAVN_MASTER_KEY_FILE=secrets/master.key ${HAVN_IMAGE:-havn:0.1.0}}"
HAVN_MASTER_KEY_FILE=secrets/master.key
export HAVN_MASTER_KEY_FILE
# shellcheck disable=SC2086
$HAVN keys create
chmod 0644 secrets/master.key
password=$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')
printf '%s' "$password" > secrets/database-password
printf 'postgres://havn:%s@pgbouncer:6432/havn' "$password" > secrets/database-url
printf '"havn" "%s"\n' "$password" > secrets/pgbouncer-users
trap - EXIT
