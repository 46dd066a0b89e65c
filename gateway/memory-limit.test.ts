/** Tests that a gateway stays within the memory that the chart gives it, whatever bodies its clients send at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { GATEWAY_MEMORY } from '../launcher/programs.ts'
import { changeClientPermission } from './auth/client-permissions.ts'
import { BODY_BYTES_MAX } from './platform/http/server.ts'
import { validHeaders } from './testing/contract/send-raw-request.ts'
import { forEachRow } from './testing/for-each-row.ts'
import { type MeasuredGateway, startMeasuredGateway } from './testing/gateway/event-loop-delay.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment, MAIN_ACCOUNT } from './testing/payments/sample-payments.ts'

/** What deploy/helm/havn/values.yaml and deploy/compose/compose.yaml give a gateway. */
const MEMORY_BYTES = 1024 * 1024 * 1024
/** What this option makes of it. */
const HEAP_SHARE = '--max-old-space-size-percentage'
const HEAP_MEGABYTES = 716
const SHAPES_TRIED = Number(process.env['HAVN_MEMORY_SHAPES'] ?? 1)
const TEST_MILLISECONDS = 180_000 + SHAPES_TRIED * 60_000

const LARGE_BYTES_MAX = (operations.initiatePayroll satisfies Operation).bodyBytesMax
const HEADROOM_BYTES = 2_000
/** Of each client. Two are accepted, and those of two clients. */
const LARGE_SENT = 3
const CLIENTS = 3
/** Each from another network. Sixty are accepted. */
const USUAL_SENT = 80
const SETTINGS = { HAVN_REQUESTS_PER_SECOND: '1000', HAVN_TOKEN_REQUESTS_PER_MINUTE: '100000', HAVN_TRUST_PROXY: '1' }

let stage: TestGateway
let gateway: MeasuredGateway
let callers: readonly Headers[]
beforeAll(async () => {
  stage = await startTestGateway({ settings: SETTINGS })
  const headers = await validHeaders(stage, (await acceptedConsent(stage)).consentId)
  callers = [headers]
  for (let other = 1; other < CLIENTS; other += 1) {
    const { client, credentials } = await stage.otherPartner()
    await changeClientPermission(stage.context, 'test', credentials.clientId, ['payroll', true])
    const scope = 'api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default'
    const { clientId: client_id, clientSecret: client_secret } = credentials
    const body = { grant_type: 'client_credentials', scope, client_id, client_secret } as const
    callers = [...callers, { ...headers, authorization: `Bearer ${(await client.issueToken({ body })).access_token}` }]
  }
  gateway = await startMeasuredGateway(stage.config, SETTINGS, [
    ...GATEWAY_MEMORY.filter((option) => !option.startsWith(HEAP_SHARE)),
    `--max-old-space-size=${HEAP_MEGABYTES}`,
  ])
})
afterAll(async () => {
  await gateway.close()
  await stage.close()
})

type Headers = Readonly<Record<string, string>>
type Answer = { readonly status: number; readonly retryAfter: string | null }
type Shape = (values: number) => string

const repeated = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join(',')

/** Values that take much memory for their length; the first ones take the most. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'objects with numbers as names': (values) => repeated(values / 2, (n) => `{"${n * 977}":0}`),
  'objects with names of their own': (values) => repeated(values / 2, (n) => `{"m${n}":0}`),
  'empty objects': (values) => repeated(values / 2, () => '{}'),
  'empty lists': (values) => repeated(values / 2, () => '[]'),
  'objects with many fields': (values) => repeated(10, (at) => `{${repeated(values / 10, (n) => `"m${at}_${n}":0`)}}`),
  fractions: (values) => repeated(values, () => '0.5'),
  texts: (values) => repeated(values, (n) => `"${n}"`),
}
/** Two bytes for each character, whatever the character. */
const FILLER = `"${'x'.repeat(997)}€"`

function listOf(bytes: number, bytesMax: number, shape: Shape): string {
  const values = shape(Math.floor((bytesMax - HEADROOM_BYTES * 10) / 24 - bytesMax / FILLER.length))
  const fillers = Math.floor((bytes - values.length) / (FILLER.length + 3))
  return `[${[values, ...Array(Math.max(0, fillers)).fill(FILLER)].join(',')}]`
}

function bodyOf(order: object, bytesMax: number, shape: Shape): Uint8Array<ArrayBuffer> {
  const members = JSON.stringify(order).slice(1)
  return new TextEncoder().encode(
    `{"x":${listOf(bytesMax - members.length - HEADROOM_BYTES, bytesMax, shape)},${members}`,
  )
}

const payroll = () => ({
  from: { account: { bban: MAIN_ACCOUNT }, name: 'Nordlys Handel AS' },
  transactions: [
    {
      metadata: { endToEndId: `SAL-${performance.now()}` },
      name: 'Kari Nordmann',
      account: { bban: '86011117947' },
      amount: { amount: '20000.00', currency: 'NOK' },
      remittanceInformation: { type: 'message', value: 'Salary' },
    },
  ],
  dueDate: stage.context.clock.today('Europe/Oslo').toString(),
  purposeCode: 'SALA',
})

async function post(path: string, headers: Headers, body: Uint8Array<ArrayBuffer>): Promise<Answer> {
  const all = { ...headers, 'content-type': 'application/json' }
  const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers: all, body })
  await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after') }
}

/** As many as the budgets allow, and more; each at its bank or rejected. */
async function sendLoad(shape: Shape): Promise<readonly Answer[]> {
  const large = bodyOf(payroll(), LARGE_BYTES_MAX, shape)
  const usual = bodyOf(domesticPayment(stage), BODY_BYTES_MAX, shape)
  const keyed = (headers: Headers, n: number) => ({ ...headers, 'idempotency-key': `${performance.now()} ${n}` })
  return await Promise.all([
    ...callers.flatMap((headers) =>
      Array.from({ length: LARGE_SENT }, (_, n) => post('/api/v2/payroll', keyed(headers, n), large)),
    ),
    ...Array.from({ length: USUAL_SENT }, (_, n) =>
      post('/api/v2/payments', { ...callers[0], 'x-forwarded-for': `198.51.100.${n}` }, usual),
    ),
  ])
}

test.skipIf(process.platform !== 'linux')(
  'the longest bodies of all clients at once fit into the memory of a gateway',
  async () => {
    await forEachRow(
      Object.entries(SHAPES).slice(0, SHAPES_TRIED),
      ([name]) => name,
      async ([, shape]) => {
        const answers = await sendLoad(shape)
        const rejected = answers.filter(({ status }) => status === 429 || status === 503)
        expect(rejected.length).toBeGreaterThan(0)
        expect(rejected.filter(({ retryAfter }) => retryAfter === null)).toEqual([])
        expect(
          answers.filter((answer) => !rejected.includes(answer) && ![200, 400, 409].includes(answer.status)),
        ).toEqual([])
        expect(await gateway.peakMemoryBytes()).toBeLessThan(MEMORY_BYTES)
      },
    )
    expect((await fetch(`${gateway.url}/api/country`, { headers: callers[0] ?? {} })).status).toBe(200)
  },
  TEST_MILLISECONDS,
)
