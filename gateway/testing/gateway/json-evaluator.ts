/** Evaluates the `json` and `node -p` commands of a documentation shell in this process: each start of Node takes forty milliseconds. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'

export type JsonEvaluator = {
  /** Commands for bash, to be run before those of the documentation. What fails here is run, and reported, by Node. */
  readonly commands: string
  close(): Promise<void>
}

/** How the function `json` of the guide on authentication begins what it has Node evaluate. */
const READ_INPUT = `const it = JSON.parse(require('fs').readFileSync(0, 'utf8')); `

export async function openJsonEvaluator(): Promise<JsonEvaluator> {
  const server = createServer(answerOnce).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    commands: `node() {
  local expression="\${2#"${READ_INPUT}"}" input=null outcome evaluator
  if [ "$1" != -p ] || [ "$#" != 2 ]; then command node "$@"; return; fi
  if [ "$expression" != "$2" ]; then input=$(cat); fi
  exec {evaluator}<> /dev/tcp/127.0.0.1/${port}
  printf '%s\\0' "$expression" "$input" >&"$evaluator"
  read -r -d '' outcome <&"$evaluator"
  if [ "$outcome" = evaluated ]; then cat <&"$evaluator"; else command node "$@" <<< "$input"; fi
  exec {evaluator}>&-
}`,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/** The request is the expression and the input, each with a zero at its end. */
function answerOnce(socket: Socket): void {
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
    const [expression = '', input = '', ...ends] = received.split('\0')
    if (ends.length > 0) {
      socket.end(evaluate(expression, input))
    }
  })
}

function evaluate(expression: string, input: string): string {
  try {
    const result: unknown = new Function('it', 'expression', 'return eval(expression)')(JSON.parse(input), expression)
    return `evaluated\0${typeof result === 'string' ? result : inspect(result)}\n`
  } catch {
    return 'failed\0'
  }
}
