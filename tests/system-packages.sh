#!/bin/sh
# Installs what makes the full test suite possible: mosquitto, PostgreSQL and Chromium.
set -u
missing=""
command -v mosquitto >/dev/null 2>&1 || [ -x /usr/sbin/mosquitto ] || missing="$missing mosquitto"
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing for the tests:$missing"
    apt-get update -qq >/dev/null 2>&1
    # policy-rc.d keeps apt from starting a system-wide broker or database: the tests start their own.
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1
    status=$?
    rm -f /usr/sbin/policy-rc.d
    [ $status = 0 ] && exit 0
fi
echo "not installed, and the tests that need them are left out:$missing"
[ -z "${CI:-}" ] || exit 1
exit 0
