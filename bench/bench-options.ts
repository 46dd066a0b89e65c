/** Parses the command line of the bench: the requested parts, the short form and the help. */
import type { PlanSize } from './bench-part.ts'

const DESCRIPTIONS = {
  '--initiations': 'initiations beside pgbench, added latency, status polling and its cost',
  '--call-logs': 'what the request log and the log of bank calls cost an initiation',
  '--clock': 'moves of the sandbox clock with many open payments',
  '--idle': 'load and memory of an idle npm start',
  '--sandbox': 'initiations with the sandbox bank on the same machine',
  '--webhooks': 'webhook deliveries: throughput, failing endpoints, a backlog',
  '--signing': 'return of the browser after SCA, and concurrent SCA sessions',
  '--entries': 'account entries as JSON, CSV and camt.053',
  '--exchange': 'exchange decisions at their deadlines',
  '--lists': 'lists, searches and reads with 1,000,000 payments stored',
  '--console': 'pages of the console with 5,000,000 payments and 50,000,000 rows of history stored; needs 30 GB',
  '--exports': 'other requests while one user of the console downloads CSV files in ten connections',
  '--failing-orders': 'payments beside orders of their bank whose status reads fail',
  '--payrolls': 'payrolls in every submission mode',
  '--command-line': 'how long commands of havn take, beside a bare start of the runtime',
} as const

export type BenchPart = keyof typeof DESCRIPTIONS

/** All parts, in the order in which they are measured. */
export const BENCH_PARTS = Object.keys(DESCRIPTIONS).filter((name): name is BenchPart => name in DESCRIPTIONS)

const OTHER_OPTIONS = {
  '--short': 'a short run that only shows that the bench works; its figures mean nothing',
  '--tenth': 'a tenth of what --console stores, which shows how its figures grow',
  '--help': 'prints this help',
} as const

const KNOWN: Readonly<Record<string, string>> = { ...DESCRIPTIONS, ...OTHER_OPTIONS }

/** A run of these parts, or the help; an unknown argument is an error. */
export type BenchOptions =
  | { readonly run: true; readonly parts: readonly BenchPart[]; readonly size: PlanSize }
  | { readonly run: false; readonly text: string; readonly exitCode: 0 | 1 }

/** Without a part, all are measured. */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const unknown = args.filter((arg) => !Object.hasOwn(KNOWN, arg))
  if (unknown.length > 0) {
    const text = `Unknown option: ${unknown.join(', ')}. The options are ${Object.keys(KNOWN).join(', ')}`
    return { run: false, text, exitCode: 1 }
  }
  if (args.includes('--help')) {
    return { run: false, text: helpText(), exitCode: 0 }
  }
  const requested = BENCH_PARTS.filter((part) => args.includes(part))
  return {
    run: true,
    parts: requested.length === 0 ? BENCH_PARTS : requested,
    size: args.includes('--short') ? 'short' : args.includes('--tenth') ? 'tenth' : 'full',
  }
}

function helpText(): string {
  const width = Math.max(...Object.keys(KNOWN).map(({ length }) => length))
  const lines = Object.entries(KNOWN).map(([name, description]) => `  ${name.padEnd(width)}  ${description}`)
  return ['Usage: npm run bench -- [options]. Measures the named parts, or all.', '', ...lines].join('\n')
}
