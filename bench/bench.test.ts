/** Tests at length that the bench prints every figure; whether targets are met is not tested. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { BENCH_PARTS, type BenchPart } from './bench-options.ts'

const run = promisify(execFile)
const BENCH = fileURLToPath(new URL('bench.ts', import.meta.url))
/** Each part starts a whole Havn or more, which only `npm run test:long` does. */
const isRun = Number(process.env['HAVN_BENCH_PARTS'] ?? 0) > 0
/** Whole Havns start and end, and pgbench may have to be installed. */
const TEST_MILLISECONDS = 600_000

const figuresOf: Readonly<Record<BenchPart, (stdout: string) => void>> = {
  '--initiations': (stdout) => {
    expect(stdout).toMatch(/^Machine: \d+ cores \(.+\), Node \d+\.\d+\.\d+, PostgreSQL \d+\.\d+ \(fsync on\)$/m)
    expect(stdout).toMatch(/^ {2}durable initiations +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {2}pgbench, the two statements +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {2}ratio +\d+\.\d\d \(bar: at least 0\.4\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}first minute, empty tables +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {2}relative to filled tables +\d+\.\d\d \(bar: at least 0\.8\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}pgbench, a minimal pair +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {2}the two statements, empty +[1-9]\d* per second$/m)
    for (const title of ['the two statements, ratio', 'the same on empty tables']) {
      expect(stdout).toMatch(new RegExp(`^ {4}${title} +\\d+\\.\\d\\d \\(bar: at least 0\\.5\\) (met|missed)$`, 'm'))
    }
    expect(stdout).toMatch(/^ {4}initiations, ratio +\d+\.\d\d, on empty tables \d+\.\d\d$/m)
    expect(stdout).toMatch(
      /^A status change with its event and delivery takes PostgreSQL \d+\.\d\d ms \(bar: at most 0\.5 ms\) (met|missed)$/m,
    )
    expect(stdout).toMatch(/^ {2}added to a bank call, p50 +\d+\.\d ms \(bar: at most 5 ms\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}added to a bank call, p99 +\d+\.\d ms \(bar: at most 25 ms\) (met|missed)$/m)
    for (const when of ['every bank responds', 'with a bank that never responds']) {
      const figures = 'p50 \\d+\\.\\d\\d s, p95 \\d+\\.\\d\\d s \\(bar: at most 3 s\\) (met|missed)'
      expect(stdout).toMatch(
        new RegExp(`after signing, ${when}:\n {2}${figures}\n {2}calls to the bank per payment +\\d+\\.\\d$`, 'm'),
      )
    }
    expect(stdout).toMatch(
      /^A batch of 1000 claimed among 12000 open payments: \d+\.\d ms \(bar: at most 50 ms\) (met|missed)$/m,
    )
    expect(stdout).toMatch(/^ {2}while one bank is at its limit: \d+\.\d ms \(bar: at most 50 ms\) (met|missed)$/m)
  },
  '--exports': (stdout) => {
    expect(stdout).toMatch(
      /^ {2}p50 of other requests +\d+\.\d ms, \d+\.\d ms before: \d+\.\d\d times \(bar: at most 2 times\) (met|missed)$/m,
    )
    expect(stdout).toMatch(/^ {2}downloads +[1-9]\d* in 0\.5 s; one alone takes \d+ ms$/m)
  },
  '--failing-orders': (stdout) => {
    for (const kind of ['answered with 500', 'without an answer']) {
      expect(stdout).toMatch(
        new RegExp(`^ {2}${kind}: p50 .+; slowest \\d+\\.\\d\\d s \\(bar: at most 30 s\\) (met|missed)$`, 'm'),
      )
    }
  },
  '--call-logs': (stdout) => {
    expect(stdout).toMatch(/^ {2}with both logs +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {2}without them +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {2}ratio +\d+\.\d{3} \(bar: at least 0\.95\) (met|missed); rounds: /m)
    expect(stdout).toMatch(/^ {2}requests in the log +\d+\.\d % when/m)
  },
  '--clock': (stdout) => {
    for (const advance of ['PT2H', 'P1D']) {
      expect(stdout).toMatch(
        new RegExp(
          `^ {2}${advance} +4 open: answered after \\d+\\.\\d s \\(bar: at most 10 s\\) (met|missed), ended after`,
          'm',
        ),
      )
    }
  },
  '--idle': (stdout) => {
    expect(stdout).toMatch(/^ {2}transactions +\d+\.\d per second \(bar: at most 10\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}processor time +\d+\.\d % of a core \(bar: at most 2 %\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}memory +\d+ MB \(bar: at most 450 MB\) (met|missed)$/m)
  },
  '--command-line': (stdout) => {
    for (const command of ['--help', 'pay', 'consent list', 'tasks list']) {
      const figures = `havn ${command} +\\d+\\.\\d\\d s \\(bar: at most 0\\.3 s\\) (met|missed), \\d+\\.\\d times a bare start`
      expect(stdout).toMatch(new RegExp(`^ {2}${figures}$`, 'm'))
    }
  },
  '--sandbox': (stdout) => {
    expect(stdout).toMatch(/^ {2}16 callers +[1-9]\d* per second \(bar: at least 600\) (met|missed)$/m)
    expect(stdout).toMatch(
      /^ {2}the same with a stub bank +[1-9]\d* per second, ratio \d+\.\d\d \(bar: at least 0\.48\) (met|missed)$/m,
    )
    const oneCaller = /^ {4}[A-Z\d]{8} +\d+\.\d ms \(bar: at most 6 ms\) (met|missed)$/gm
    expect(stdout.match(oneCaller)).toHaveLength(16)
    expect(stdout).toMatch(/^ {4}16 callers +\d+\.\d ms: .*gateway \d+\.\d\d.*$/m)
    expect(stdout).toMatch(/^ {4}one caller +\d+\.\d ms: .+$/m)
  },
  '--webhooks': (stdout) => {
    expect(stdout).toMatch(/^ {2}signed deliveries +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {2}a bare loop +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {2}ratio +\d+\.\d\d \(bar: at least 0\.5\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}from record to arrival, p95 +\d+ ms \(bar: at most 250 ms\) (met|missed)$/m)
    for (const title of ['with a dead endpoint', 'with a dripping one', 'with one that takes 9\\.9 s']) {
      const figure = '\\d+ ms, \\d+\\.\\d\\d times \\(bar: at most 1\\.2 times\\) (met|missed)'
      expect(stdout).toMatch(new RegExp(`^ {4}${title} +${figure}$`, 'm'))
    }
    expect(stdout).toMatch(/^ {2}backlog drained +[1-9]\d* per second$/m)
    expect(stdout).toMatch(/^ {4}peak memory +\d+ MB \(bar: at most 300 MB\) (met|missed)$/m)
    for (const which of ['p95', 'slowest']) {
      expect(stdout).toMatch(
        new RegExp(`^ {4}new events meanwhile, ${which} +\\d+ ms \\(bar: at most 1000 ms\\) (met|missed)$`, 'm'),
      )
    }
  },
  '--signing': (stdout) => {
    for (const way of [
      'return after SCA',
      'on the waiting page',
      'in an app, on our page',
      'by a QR code on our page',
    ]) {
      const figures = 'p50 \\d+\\.\\d\\d s, p95 \\d+\\.\\d\\d s \\(bar: at most 2 s\\) (met|missed)'
      expect(stdout).toMatch(new RegExp(`^ {2}${way} +${figures}$`, 'm'))
    }
    for (const bank of ['VASASESS', 'MALBSESS']) {
      const age = 'p95 \\d+ ms, slowest \\d+ ms \\(bar: at most 1000 ms\\) (met|missed)'
      const ages = ['after the bank replaced it', 'after receipt from the bank'].map(
        (title) => ` {4}${title} +${age}\n`,
      )
      expect(stdout).toMatch(new RegExp(`^ {2}${bank}, [1-9]\\d* codes, 0 reads without one\n${ages.join('')}`, 'm'))
    }
    const read = /^ {4}polls at the bank +(\d+\.\d\d) per session and second \(bar: at most 1\.1\) (met|missed)$/gm
    expect([...stdout.matchAll(read)].map(([, reads]) => Number(reads) > 0)).toEqual([true, true])
  },
  '--entries': (stdout) => {
    expect(stdout).toMatch(/^ +[1-9]\d* entries, [1-9]\d* pages, \d+\.\d MB: \d+\.\d s, \d+\.\d{3} ms each$/m)
    expect(stdout).toMatch(
      /^ {2}cost per entry, relative to the next list (\d+\.\d\d|NaN) times \(bar: at most 1\.2 times\) (met|missed)$/m,
    )
    expect(stdout).toMatch(/^ {2}first byte, including the bank's first page \d+ ms \(bar: .*\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}gateway peak memory +\d+ MB, \d+ MB before it \(bar: at most 250 MB\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}extended: [1-9]\d* calls for details, [1-9]\d* of [1-9]\d* entries enriched/m)
  },
  '--exchange': (stdout) => {
    expect(stdout).toMatch(
      /^ {2}decided after the deadline +p95 -?\d+ ms, slowest \d+ ms \(bar: at most 1000 ms\) (met|missed)$/m,
    )
    expect(stdout).toMatch(/^ {4}calls to the provider +[1-9]\d* in the busiest minute \(bar: at most 500\) met$/m)
    expect(stdout).toMatch(
      /^ {2}signing time left at the bank +\d+\.\d % minimum of \d+ users \(bar: at least 90 %\) (met|missed)$/m,
    )
  },
  '--lists': (stdout) => {
    expect(stdout).toMatch(/^Lists and reads with \d+ payments stored, relative to \d+:$/m)
    const latency = 'p50 \\d+\\.\\d ms .*, \\d+\\.\\d\\d times'
    const list = new RegExp(`^ {2}[a-z ]+ ${latency} \\(bar: at most 1\\.5 times\\) (met|missed)$`, 'gim')
    expect(stdout.match(list)).toHaveLength(10)
  },
  '--console': (stdout) => {
    expect(stdout).toMatch(/^Pages of the console with 600 payments and 6000 rows of history stored:$/m)
    const page =
      /^ {2}\/console\S*.* p50 \d+\.\d ms, p95 \d+\.\d ms, \d+\.\d kB \(bar: p95 at most 100 ms, 60 kB\) (met|missed)$/gm
    expect(stdout.match(page)?.length).toBeGreaterThan(30)
    const live = /^ {2}3 open pages of \D.*: -?\d+\.\d\d % of a core .* \(bar: at most 1 %\) (met|missed)$/gm
    expect(stdout.match(live)).toHaveLength(3)
    expect(stdout).toMatch(/^ {2}all days counted again after \d+\.\d s$/m)
  },
  '--payrolls': (stdout) => {
    expect(stdout).toMatch(/^ {2}response time +\d+ ms \(bar: at most 3000 ms\) (met|missed)$/m)
    expect(stdout).toMatch(
      /^ {2}a transaction, relative to \d+ +\d+\.\d\d times \(bar: at most 1\.3 times\) (met|missed)$/m,
    )
    expect(stdout).toMatch(
      /^ {2}p95 of other requests +\d+\.\d ms, \d+\.\d\d times \(bar: at most 2 times\) (met|missed)$/m,
    )
    expect(stdout).toMatch(/^ {2}gateway peak memory +\d+ MB, \d+ MB before it \(bar: at most 400 MB\) (met|missed)$/m)
    expect(stdout).toMatch(/^ {2}reading its status +\d+ ms \(bar: at most 200 ms\) (met|missed)$/m)
    for (const way of ['bulk', 'baskets', 'chain']) {
      expect(stdout).toMatch(
        new RegExp(`^ {2}${way} +\\d+ transactions: [1-9]\\d* calls to submit, \\d+ others, [1-9]\\d* signatures`, 'm'),
      )
    }
    expect(stdout).toMatch(
      /^ {2}cancelling 3 single orders: answered after \d+\.\d s with 3 cancelled \(bar: at most 30 s\) (met|missed);/m,
    )
  },
}

test.skipIf(!isRun).each(BENCH_PARTS)(
  'the part %s prints what was measured, and against which bar',
  { timeout: TEST_MILLISECONDS },
  async (part) => {
    const { stdout } = await run(process.execPath, [BENCH, '--short', part])
    figuresOf[part](stdout)
  },
)
