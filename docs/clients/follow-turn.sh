#!/usr/bin/env bash
# Submits a prompt and prints what the model says, over cuts: it reconnects with the cursor of the last update that it has in full.
#
#   GADGET_URL=http://localhost:8080 GADGET_TOKEN=… ./follow-turn.sh SESSION_ID "What is this project?"
#
# The token is one from POST /api/v1/tokens. Needs curl and jq. Exit status: 0 finished, 1 ended otherwise, 2 refused.
# A turn whose drone went away goes on when it is back; that is waited for GADGET_PATIENCE seconds (300).
set -euo pipefail

url=${GADGET_URL:-http://localhost:8080}
: "${GADGET_TOKEN:?set GADGET_TOKEN to an access token}"
session=${1:?usage: follow-turn.sh SESSION_ID PROMPT}
prompt=${2:?usage: follow-turn.sh SESSION_ID PROMPT}

# The token goes in by a file descriptor, so that it shows in no list of processes.
api() { curl --silent --show-error --config <(printf 'header = "Authorization: Bearer %s"\n' "$GADGET_TOKEN") "$@"; }

# One key for this prompt: should the answer get lost, saying it again starts no second turn.
key="follow-turn-$(date +%s)-$$-$RANDOM"
body=$(jq --null-input --arg prompt "$prompt" '{prompt: $prompt}')
accepted=$(api --retry 5 --retry-connrefused --request POST "$url/api/v1/sessions/$session/turns" \
  --header 'Content-Type: application/json' --header 'Prefer: respond-async' --header "Idempotency-Key: $key" --data "$body")
turn=$(jq --raw-output '.turnId // empty' <<<"$accepted")
if [ -z "$turn" ]; then
  jq --raw-output '"refused: \(.code): \(.detail)"' <<<"$accepted" >&2
  exit 2
fi

cursor='' # of the last update that is complete
block=-1  # the block being printed, and how much of it is
shown=0
nested=' ' # blocks of subagents, which are not what the turn says
kind='' data='' next='' failures=0
patience=${GADGET_PATIENCE:-300}
away='' # since when, in seconds of this shell, and what was said of it
why=''

# Prints what is new in a text, given as JSON, that starts at an offset of a block. What was printed before is skipped.
text() { # index offset json
  if [ "$1" -lt "$block" ]; then return; fi
  if [ "$1" -gt "$block" ]; then
    if [ "$shown" -gt 0 ]; then printf '\n'; fi
    block=$1 shown=0
  fi
  local known=$((shown - $2)) units rest
  # Offsets count UTF-16 units: a character beyond U+FFFF counts two.
  units=$(jq '[explode[] | if . > 65535 then 2 else 1 end] | add // 0' <<<"$3")
  if [ "$units" -le "$known" ]; then return; fi
  # The dot keeps a last line break from the shell, which would drop it.
  rest=$(jq --raw-output --argjson known "$known" \
    '[foreach explode[] as $c ({end: 0}; {end: (.end + (if $c > 65535 then 2 else 1 end)), c: $c}; select(.end > $known) | .c)] | implode + "."' <<<"$3")
  printf '%s' "${rest%.}"
  shown=$(($2 + units))
}

# Notes whether the drone is away, by a status and the error that came with it.
heed() { # status error
  if [ "$1" != interrupted ]; then
    away=''
  elif [ -z "$away" ]; then
    away=$SECONDS why=$2
    echo 'the drone is away; waiting for it' >&2
  fi
}

# Ends when a drone that is away was waited for long enough.
waits() {
  if [ -z "$away" ] || [ $((SECONDS - away)) -lt "$patience" ]; then return; fi
  if [ "$shown" -gt 0 ]; then printf '\n'; fi
  echo "interrupted: $why" >&2
  exit 1
}

step() { # kind data
  case $1 in
    snapshot)
      nested=" $(jq --raw-output '[.turn.blocks[] | select(.parent) | .index | tostring] | join(" ")' <<<"$2") "
      while IFS= read -r said; do
        text "$(jq .index <<<"$said")" 0 "$(jq .content <<<"$said")"
      done < <(jq --compact-output '.turn.blocks[] | select(.mode == "responding" and .parent == null)' <<<"$2")
      heed "$(jq --raw-output .turn.status <<<"$2")" "$(jq --raw-output '.turn.error.message // ""' <<<"$2")"
      ;;
    status) heed "$(jq --raw-output .status <<<"$2")" "$(jq --raw-output '.error.message // ""' <<<"$2")" ;;
    text_delta)
      local index
      index=$(jq .index <<<"$2")
      # Whose a block is comes with its beginning only.
      if [ "$(jq '.parent != null' <<<"$2")" = true ]; then nested+="$index "; fi
      if [ "$(jq --raw-output .mode <<<"$2")" = responding ] && [[ $nested != *" $index "* ]]; then
        text "$index" "$(jq .offset <<<"$2")" "$(jq .text <<<"$2")"
      fi
      ;;
    done | error)
      if [ "$shown" -gt 0 ]; then printf '\n'; fi
      jq --raw-output '"\(.status)\(if .error then ": " + .error.message else "" end)"' <<<"$2" >&2
      if [ "$(jq --raw-output .status <<<"$2")" = finished ]; then exit 0; else exit 1; fi
      ;;
  esac
}

while :; do
  while IFS= read -r line; do
    failures=0
    case $line in
      'event: '*) kind=${line#event: } ;;
      'data: '*) data=${line#data: } ;;
      'id: '*) next=${line#id: } ;;
      '')
        if [ -n "$data" ]; then
          step "$kind" "$data"
          cursor=${next:-$cursor}
        fi
        kind='' data='' next=''
        ;;
    esac
    # A comment comes every 15 s when nothing else does.
    waits
  done < <(api --fail --no-buffer --header 'Accept: text/event-stream' ${cursor:+--header "Last-Event-ID: $cursor"} \
    "$url/api/v1/turns/$turn/events" || true)
  kind='' data='' next=''
  waits
  failures=$((failures + 1))
  if [ "$failures" -ge 20 ]; then
    echo "the service does not answer; the turn $turn goes on without this client" >&2
    exit 1
  fi
  sleep 1
done
