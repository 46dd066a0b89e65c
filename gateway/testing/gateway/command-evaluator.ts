/** Runs `json`, `node -p`, `curl` and `havn` for a documentation shell; in short runs without programs, which would take most of the time. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { inspect, promisify } from 'node:util'
import { runHavnCommand, runHavnProgram } from './havn-command.ts'

export type CommandEvaluator = {
  /**
   * Functions for bash, to be defined before the commands of the documentation. Node and curl themselves run what fails
   * here. A reader with the command line has `havn` as well.
   */
  readonly commands: string
  readonly havn: string
  /** The status of the answer to the last request; undefined when curl itself sent it. */
  lastStatus(): number | undefined
  close(): Promise<void>
}

/** Curl and `havn` themselves run. */
const WITH_PROGRAMS = process.env['HAVN_DOCUMENTED_PROGRAMS'] !== undefined

/** How the function `json` of the guide on authentication begins what it has Node evaluate. */
const READ_INPUT = `const it = JSON.parse(require('fs').readFileSync(0, 'utf8')); `

/** `havnSettings` are the environment variables of a reader who runs commands of `havn`. */
export async function openCommandEvaluator(
  havnSettings: () => Readonly<Record<string, string>> = () => ({}),
): Promise<CommandEvaluator> {
  let status: number | undefined
  const evaluators: Readonly<Record<string, (words: readonly string[]) => Promise<string>>> = {
    node: async ([expression = '', input = '']) => evaluate(expression, input),
    curl: async ([folder = '', input = '', ...words]) => {
      status = undefined
      const answer = await (WITH_PROGRAMS ? runCurl(words, input, folder) : request(words, input))
      status = answer.status
      return answer.text
    },
    havn: async ([folder = '', ...words]) => {
      const settings = { ...havnSettings(), HOME: folder }
      if (WITH_PROGRAMS) {
        return await runHavnProgram(words, settings, folder)
      }
      const { code, out, error } = await runHavnCommand(words, settings, folder)
      if (code !== 0) {
        throw new Error(error)
      }
      return out
    },
  }
  const server = createServer((socket) => answerOnce(socket, evaluators)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    commands: commandsFor(typeof address === 'object' ? address?.port : undefined),
    havn: 'havn() { evaluate havn "$PWD" "$@" || cat reason.txt >&2; }',
    lastStatus: () => status,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

function commandsFor(port: number | undefined): string {
  return `evaluate() {
  local outcome evaluator
  exec {evaluator}<> /dev/tcp/127.0.0.1/${port}
  printf '%s\\0' "$1" "$(($# - 1))" "\${@:2}" >&"$evaluator"
  read -r -d '' outcome <&"$evaluator"
  if [ "$outcome" = evaluated ]; then cat <&"$evaluator"; else cat <&"$evaluator" > reason.txt; fi
  exec {evaluator}>&-
  [ "$outcome" = evaluated ]
}
node() {
  local expression="\${2#"${READ_INPUT}"}" input=null
  if [ "$1" != -p ] || [ "$#" != 2 ]; then command node "$@"; return; fi
  if [ "$expression" != "$2" ]; then input=$(cat); fi
  evaluate node "$expression" "$input" || command node "$@" <<< "$input"
}
curl() {
  local input=
  case " $* " in *' @- '*) input=$(cat) ;; esac
  evaluate curl "$PWD" "$input" "$@" || command curl "$@" <<< "$input"
}`
}

/** The request is the program, the number of its words, and these, each with a zero at its end. */
function answerOnce(
  socket: Socket,
  evaluators: Readonly<Record<string, (words: readonly string[]) => Promise<string>>>,
): void {
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
    const [program = '', count = '', ...words] = received.split('\0')
    if (words.length > Number(count)) {
      evaluators[program]?.(words.slice(0, -1)).then(
        (output) => socket.end(`evaluated\0${output}`),
        (error: unknown) => socket.end(`failed\0${String(error)}\n`),
      )
    }
  })
}

function evaluate(expression: string, input: string): string {
  const result: unknown = new Function('it', 'expression', 'return eval(expression)')(JSON.parse(input), expression)
  return `${typeof result === 'string' ? result : inspect(result)}\n`
}

type Answer = { readonly status: number; readonly text: string }

async function runCurl(words: readonly string[], input: string, folder: string): Promise<Answer> {
  const ended = promisify(execFile)('curl', ['--write-out', '\n%{http_code}', ...words], { cwd: folder })
  ended.child.stdin?.end(input)
  const { stdout } = await ended
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end)), text: stdout.slice(0, end) }
}

async function request(words: readonly string[], input: string): Promise<Answer> {
  const answer = await fetch(...requestOf(words, input))
  return { status: answer.status, text: await answer.text() }
}

/** The request that curl sends for these words. Throws for words that the documentation does not use everywhere. */
function requestOf(words: readonly string[], input: string): [url: string, init: RequestInit] {
  const headers = new Headers({ 'user-agent': 'curl' })
  const data: string[] = []
  let [url, method]: (string | undefined)[] = []
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const value = words[index + 1] ?? ''
    if (/^https?:[^[\]{}]+$/.test(word) && url === undefined) {
      url = word
    } else if (word === '-H') {
      addHeader(headers, value)
    } else if (word === '-d') {
      data.push(dataOf(value, input))
    } else if (word === '-X') {
      method = value
    } else if (word !== '-s') {
      throw new Error(`What does curl do with ${word}?`)
    }
    index += /^-[HdX]$/.test(word) ? 1 : 0
  }
  if (data.length === 0) {
    return [url ?? '', { method: method ?? 'GET', headers }]
  }
  if (!headers.has('content-type')) {
    headers.set('content-type', 'application/x-www-form-urlencoded')
  }
  return [url ?? '', { method: method ?? 'POST', headers, body: data.join('&') }]
}

/** A header without a value is not sent. */
function addHeader(headers: Headers, text: string): void {
  const [, name, value] = /^([\w-]+):(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new Error(`What does curl do with the header ${text}?`)
  }
  if (value.trim() !== '') {
    headers.append(name, value.trim())
  }
}

/** What is read is sent in one line. */
function dataOf(value: string, input: string): string {
  if (value === '@-') {
    return input.replaceAll(/[\r\n]/g, '')
  }
  if (value.startsWith('@')) {
    throw new Error('curl reads files')
  }
  return value
}
