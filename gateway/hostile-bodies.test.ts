/** Shows that no small body keeps a gateway busy, or is answered by a large one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROBLEMS_MAX } from './foundation/http/validation.ts'
import { soundHeaders } from './testing/refusals.ts'
import { acceptedConsent } from './testing/samples.ts'
import { startWholeGateway, type WholeGateway } from './testing/whole-gateway.ts'

/** Just below what the server takes. */
const BODY_BYTES = 250_000
/** A body of this size with nothing wrong is answered in a few milliseconds; these took up to a minute. */
const BUSY_MILLISECONDS_MAX = 2_000
const ANSWER_BYTES_MAX = 100_000

let gateway: WholeGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startWholeGateway()
  headers = { ...(await soundHeaders(gateway, (await acceptedConsent(gateway)).consentId)) }
})
afterAll(() => gateway.close())

const many = (text: string, bytes = BODY_BYTES) =>
  Array(Math.floor(bytes / (text.length + 1)))
    .fill(text)
    .join(',')
/** Every text of a payment, one above what any genuine value needs by far. */
const LONG = 'x'.repeat(5_000)

const NUL = '"\\u0000"'

describe('a body', () => {
  test.each([
    [
      'with wrong elements and texts that cannot be kept',
      `{"payments":[${many('1', 125_000)}],"x":[${many(NUL, 120_000)}]}`,
    ],
    ['with wrong elements', `{"payments":[${many('1')}]}`],
    ['with texts that cannot be kept', `{"payments":[${many(NUL)}]}`],
    ['with such texts below a very long name', `{"${'x'.repeat(125_000)}":[${many(NUL, 120_000)}]}`],
    ['with a name full of dots and such texts', `{"${'.'.repeat(125_000)}":${NUL},"x":[${many(NUL, 120_000)}]}`],
    ['with very many members', `{"payments":[1],${Array.from({ length: 20_000 }, (_, n) => `"m${n}":0`).join(',')}}`],
  ])('%s is refused at once and in few words', async (_what, body) => {
    const started = performance.now()
    const answer = await gateway.fetch('/api/v2/payments/approve', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    const text = await answer.text()
    expect(performance.now() - started).toBeLessThan(BUSY_MILLISECONDS_MAX)
    expect(answer.status).toBe(422)
    expect(JSON.parse(text).length).toBeLessThanOrEqual(PROBLEMS_MAX)
    expect(text.length).toBeLessThan(ANSWER_BYTES_MAX)
  })
})

describe('a payment', () => {
  const address = { streetName: LONG, buildingNumber: LONG, city: LONG, postCode: LONG }
  const contactInformation = { name: LONG, telephoneNumber: LONG, address }
  const account = { type: 'bban', bban: LONG }
  const body = {
    metadata: { endToEndId: LONG },
    from: { account, contactInformation, currency: 'NOK', organizationNumber: LONG },
    to: { account, contactInformation },
    amount: { amount: '1.00', currency: 'NOK' },
    dueDate: '2026-12-01',
    remittanceInformation: { type: 'message', value: LONG, debtorReference: LONG },
  }
  const sides = ['from', 'to'].flatMap((side) => [
    `.${side}.account.bban`,
    `.${side}.contactInformation.name`,
    `.${side}.contactInformation.telephoneNumber`,
    ...Object.keys(address).map((member) => `.${side}.contactInformation.address.${member}`),
  ])

  test('with a long text anywhere is refused at each of them', async () => {
    const answer = await gateway.fetch('/api/v2/payments', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(422)
    const problems: readonly { readonly path: string }[] = JSON.parse(await answer.text())
    const paths = problems.map(({ path }) => path)
    const remittance = '.remittanceInformation'
    const others = [
      '.metadata.endToEndId',
      '.from.organizationNumber',
      `${remittance}.value`,
      `${remittance}.debtorReference`,
    ]
    expect(paths).toEqual(expect.arrayContaining([...sides, ...others]))
  })
})
