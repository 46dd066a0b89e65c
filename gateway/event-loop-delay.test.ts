/** Tests that no request blocks the event loop, whatever the shape of its body. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { BODY_BYTES_MAX } from './platform/http/server.ts'
import { UNKNOWN_ID, validHeaders } from './testing/contract/send-raw-request.ts'
import { type MeasuredGateway, startMeasuredGateway } from './testing/gateway/event-loop-delay.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent } from './testing/payments/sample-payments.ts'

/**
 * 100 milliseconds where a unit takes 0.4, as on the machine on which the limit was set. The longest tasks take 100 to 200
 * units, most of it for collecting garbage. A long body that is parsed in one piece takes more than 1,300.
 */
const UNITS_MAX = 250
/** How many shapes the bodies have, chosen at random: each of the longest takes a second or more. */
const LONG_SHAPES = Number(process.env['HAVN_LONG_SHAPES'] ?? 1)
const TRIES_MAX = 3
const HEADROOM_BYTES = 200
const STATUSES_OF_REJECTIONS = [400, 404, 422]
const TEST_MILLISECONDS = 180_000 + LONG_SHAPES * 20_000

const SETTINGS = { HAVN_REQUESTS_PER_SECOND: '1000', HAVN_TOKEN_REQUESTS_PER_MINUTE: '100000' }

let stage: TestGateway
let gateway: MeasuredGateway
let headers: Record<string, string>
beforeAll(async () => {
  stage = await startTestGateway({ settings: SETTINGS })
  headers = await validHeaders(stage, (await acceptedConsent(stage)).consentId)
  gateway = await startMeasuredGateway(stage.config, SETTINGS)
})
afterAll(async () => {
  await gateway.close()
  await stage.close()
})

/** As many repetitions of a part as a text of this size contains. */
function filled(bytes: number, part: string, between = ','): string {
  return `${part}${`${between}${part}`.repeat(Math.floor(bytes / (part.length + between.length)) - 1)}`
}

/** Fields of different names, as many as a text of this size contains. */
function numbered(bytes: number, part: (n: number) => string, between = ','): string {
  const count = Math.floor(bytes / (part(1_000_000).length + between.length))
  return Array.from({ length: count }, (_, n) => part(n)).join(between)
}

type Shapes = Readonly<Record<string, (bytes: number) => string>>

/** JSON values in place of what the API expects. */
const SOME_SHAPES: Shapes = {
  'a long text': (bytes) => `"${'a'.repeat(bytes)}"`,
  'a list of lists': (bytes) => `[${filled(bytes, '[]')}]`,
  'texts that cannot be stored': (bytes) => `[${filled(bytes, '"\\u0000"')}]`,
  'escaped names': (bytes) => `{${numbered(bytes, (n) => `"\\u0061${n}":0`)}}`,
}
const ALL_SHAPES: Shapes = {
  ...SOME_SHAPES,
  'a text of a megabyte': () => `"${'a'.repeat(1_000_000)}"`,
  'a list with a text of a megabyte': () => `["${'a'.repeat(1_000_000)}"]`,
  'a long number': (bytes) => '1'.repeat(bytes),
  'white space': (bytes) => `${' '.repeat(bytes)}1`,
  'escaped characters': (bytes) => `"${filled(bytes, '\\"', '')}"`,
  'a list of numbers': (bytes) => `[${filled(bytes, '1')}]`,
  'a list of objects': (bytes) => `[${filled(bytes, '{}')}]`,
  'a list in lists': (bytes) => `${'['.repeat(30)}${filled(bytes, '1')}${']'.repeat(30)}`,
  'many deep lists': (bytes) => `[${filled(bytes, `${'['.repeat(40)}${']'.repeat(40)}`)}]`,
  'many members': (bytes) => `{${numbered(bytes, (n) => `"m${n}":0`)}}`,
  'one member many times': (bytes) => `{${filled(bytes, '"a":0')}}`,
  'a long name': (bytes) => `{"${'a'.repeat(bytes)}":0}`,
  'a list with another bracket at its end': (bytes) => `[${filled(bytes, '[]')}}`,
  'texts in objects in lists': (bytes) => `[${filled(bytes, '{"name":"Kari"}')}]`,
}

type Row = readonly [what: string, write: () => string, headers?: Readonly<Record<string, string>>]

function rowsOf({ id, body, bodyType, bodyBytesMax }: Operation): readonly Row[] {
  const bytes = (bodyBytesMax ?? BODY_BYTES_MAX) - HEADROOM_BYTES
  if (bodyType === 'form') {
    return [
      ['fields of different names', () => numbered(bytes, (n) => `m${n}=1`, '&')],
      ['fields of one name', () => filled(bytes, 'a=1', '&')],
      ['a long field', () => `client_id=${filled(bytes, '%61', '')}`],
    ]
  }
  const members = Object.keys(Object(Object(body).properties))
  const longOnes = members.filter((member) => ['transactions', 'payrolls'].includes(member))
  const isLarge = bodyBytesMax !== undefined
  return Object.entries(chosenFrom(id === 'initiatePayroll' ? ALL_SHAPES : SOME_SHAPES)).flatMap(([what, write]) =>
    (isLarge ? longOnes : members).map((member): Row => {
      const key = isLarge ? { 'idempotency-key': what } : {}
      return [`${what} as ${member}`, () => `{"${member}":${write(bytes)}}`, key]
    }),
  )
}

function chosenFrom(all: Shapes): Shapes {
  const shapes = Object.entries(all)
  const [chosen = []] = fc.sample(fc.shuffledSubarray(shapes, { minLength: shapes.length }), 1)
  return Object.fromEntries(chosen.slice(0, LONG_SHAPES))
}

async function statusOf({ method, path, bodyType }: Operation, [, write, more]: Row): Promise<number> {
  const type = bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const url = `${gateway.url}${path.replaceAll(/\{\w+\}/g, UNKNOWN_ID)}`
  const response = await fetch(url, { method, headers: { ...headers, ...more, 'content-type': type }, body: write() })
  await response.text()
  return response.status
}

/** Garbage collection may block for long once; a slow shape does so each time. */
async function sentInTurns(
  operation: Operation,
  row: Row,
  tries = TRIES_MAX,
): Promise<{ status: number; units: number }> {
  const { result: status, units } = await gateway.longestTask(() => statusOf(operation, row))
  return units < UNITS_MAX || tries === 1 ? { status, units } : await sentInTurns(operation, row, tries - 1)
}

const takingBodies = (Object.values(operations) satisfies readonly Operation[]).filter(
  (operation: Operation) => operation.body !== undefined,
)

test.each(takingBodies.map((operation) => [operation.id, operation] as const))(
  '%s never blocks the event loop for long, for a body of any shape',
  async (_id, operation) => {
    for (const row of rowsOf(operation)) {
      const [what] = row
      const { status, units } = await sentInTurns(operation, row)
      expect(STATUSES_OF_REJECTIONS, what).toContain(status)
      expect(units, what).toBeLessThan(UNITS_MAX)
    }
  },
  TEST_MILLISECONDS,
)
