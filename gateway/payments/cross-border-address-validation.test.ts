/** Tests that validating an exchange and ordering the cross-border payment reject the same fields of addresses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dollarOrder } from '../../contract/examples/fx.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../testing/fx/fx-provider-fixture.ts'
import { exchangeOrder, moveToHour } from '../testing/fx/sample-exchange-orders.ts'
import { acceptedConsent } from '../testing/payments/sample-payments.ts'

let stage: GatewayWithFx
let headers: Record<string, string>
beforeAll(async () => {
  stage = await startGatewayWithFx()
  await moveToHour(stage.gateway, '09:00')
  headers = await validHeaders(stage.gateway, (await acceptedConsent(stage.gateway)).consentId)
})
afterAll(() => stage.close())

const { address: sendersAddress } = dollarOrder.from.contactInformation
const { address: receiversAddress } = dollarOrder.to.contactInformation

/** The same payment to be validated and to be ordered, with another address of either party. */
function bodiesWith(side: 'from' | 'to', changes: object): { validated: object; ordered: object } {
  const order = exchangeOrder(stage.gateway)
  const address = { ...(side === 'from' ? sendersAddress : receiversAddress), ...changes }
  const contactInformation = { ...order[side].contactInformation, address }
  const validated = { ...order, [side]: { ...order[side], contactInformation } }
  const { from, to, amount, dueDate, remittanceInformation } = order
  const { bban, bic, currency } = from
  const parts = {
    from: { account: { type: 'bban', bban, bic }, contactInformation: from.contactInformation, currency },
    to: { account: { type: 'bban', ...to.account }, contactInformation: to.contactInformation },
  }
  const ordered = {
    metadata: { endToEndId: order.metadata.endToEndId },
    ...parts,
    [side]: { ...parts[side], contactInformation },
    ...{ amount, dueDate, remittanceInformation: { message: remittanceInformation.unstructured } },
  }
  return { validated, ordered }
}

/** The address fields that a response names: one field or a list. */
function partsIn(body: unknown): readonly string[] {
  const reported: readonly unknown[] = Array.isArray(body) ? body : [body]
  return reported
    .map((validationError) => String(Object(validationError).path))
    .filter((path) => path.includes('.address'))
}

test.each([
  ['whole', {}, 'none'],
  ['with letters that are transliterated', { city: 'Łódź', streetName: 'Ærøgade' }, 'none'],
  ['without a house number in the street', { buildingNumber: undefined }, 'both'],
  ['with null for the post code', { postCode: null }, 'both'],
  ['with a blank town', { city: ' ' }, 'both'],
  ['with a street of 71 characters', { streetName: 'x'.repeat(71) }, 'both'],
  ['with a number of 17 characters', { buildingNumber: '1'.repeat(17) }, 'both'],
  ['with a town of 36 characters', { city: 'x'.repeat(36) }, 'both'],
  ['with a street in Cyrillic letters', { streetName: 'Невский' }, 'both'],
  ['with a slash at the end of what is sent', { streetName: 'Storgata 5/ ' }, 'both'],
  ['with an unknown country', { country: 'QQ' }, 'both'],
  ['with the name of a country', { country: 'Norway' }, 'both'],
])('an address %s is validated in the same way for either party', async (_what, changes, rejected) => {
  for (const side of ['from', 'to'] as const) {
    const { validated, ordered } = bodiesWith(side, changes)
    const validation = await sendRawRequest(stage.gateway, ['POST', '/api/fx/payments/validate'], {
      headers,
      body: validated,
    })
    const order = await sendRawRequest(stage.gateway, ['POST', '/api/v2/payments/cross-border'], {
      headers,
      body: ordered,
    })
    expect([side, partsIn(validation.body)]).toEqual([side, partsIn(order.body)])
    expect([side, partsIn(order.body).length > 0]).toEqual([side, rejected === 'both'])
  }
})

test('an address of the creditor is rejected with its own code, and the reason names the field', async () => {
  for (const [changes, part] of [
    [{ city: undefined }, 'city'],
    [{ postCode: 'X' }, 'postCode'],
    [{ city: '城' }, 'city'],
  ] as const) {
    const { validated, ordered } = bodiesWith('to', changes)
    const validationError = {
      code: 'InvalidToAddress',
      path: `.to.contactInformation.address.${part}`,
      reason: expect.stringMatching(new RegExp(`^${part} `)),
    }
    expect(
      await sendRawRequest(stage.gateway, ['POST', '/api/fx/payments/validate'], { headers, body: validated }),
    ).toMatchObject({ status: 422, body: [validationError] })
    expect(
      await sendRawRequest(stage.gateway, ['POST', '/api/v2/payments/cross-border'], { headers, body: ordered }),
    ).toMatchObject({ status: 422, body: [validationError] })
  }
})
