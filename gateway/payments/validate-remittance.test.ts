/** Tests the validation of references, and its requests over HTTP, without a consent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RemittanceValidationRequest } from '../../contract/payments/remittance-validation.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { validateRemittance } from './validate-remittance.ts'

const OPERATION = ['POST', '/api/v2/remittance/validate'] as const

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = { authorization: String((await validHeaders(gateway))['authorization']) }
})
afterAll(() => gateway.close())

const validate = async (body: unknown) => await sendRawRequest(gateway, OPERATION, { headers, body })

describe('a valid reference', () => {
  test.each<[RemittanceValidationRequest, string, string]>([
    [{ country: 'NO', type: 'ocr', value: '234 5676' }, 'Modulus10', '2345676'],
    [{ country: 'NO', type: 'ocr', value: '20455004' }, 'Modulus11', '20455004'],
    [{ country: 'NO', type: 'ocr', value: '1000005-' }, 'Modulus11', '1000005-'],
    [{ country: 'SE', type: 'ocr', value: '123067' }, 'Modulus10', '123067'],
    [{ country: 'FI', type: 'ocr', value: '12 34561' }, 'Weights731', '1234561'],
    [{ country: 'FI', type: 'ocr', value: 'RF18 5390 0754 7034' }, 'Modulus97', 'RF18539007547034'],
    [{ country: 'DK', type: 'fik', value: '+71<18+81234567<' }, 'Modulus10', '+71<000000000000018+81234567<'],
    [
      { country: 'DK', type: 'fik', cardType: '71', paymentId: '18', creditorNumber: '81234567' },
      'Modulus10',
      '+71<000000000000018+81234567<',
    ],
    [
      { country: 'DK', type: 'fik', cardType: '73', creditorNumber: '81234567', message: 'Faktura 4711' },
      'None',
      '+73<+81234567<',
    ],
    [{ country: 'DK', type: 'fik', value: '+73<+81234567<', message: 'Faktura' }, 'None', '+73<+81234567<'],
    [{ country: 'SE', type: 'message', value: 'Hyra för Östra gatan' }, 'None', 'Hyra för Östra gatan'],
  ])('%o passes by %s as %s', (body, checkMethod, normalized) => {
    expect(validateRemittance(body)).toEqual({ valid: true, checkMethod, normalized, reason: null })
  })

  test('that looks wrong is valid, with the reason', async () => {
    const { body } = await validate({ country: 'NO', type: 'ocr', value: '18' })
    const reason = 'The reference has 2 characters; many banks require at least four'
    expect(body).toEqual({ valid: true, checkMethod: 'Modulus10', normalized: '18', reason })
  })
})

describe('an invalid reference', () => {
  test.each<[RemittanceValidationRequest, RegExp]>([
    [{ country: 'NO', type: 'ocr', value: '2345674' }, /fits neither modulus 10 nor modulus 11/],
    [{ country: 'NO', type: 'ocr', value: '' }, /is not a KID/],
    [{ country: 'NO', type: 'ocr', value: '12-34' }, /is not a KID/],
    [{ country: 'SE', type: 'ocr', value: '1231' }, /wrong check digit/],
    [{ country: 'SE', type: 'ocr', value: '٢٣٤' }, /2–25 digits/],
    [{ country: 'FI', type: 'ocr', value: '1234562' }, /weights 7, 3, 1/],
    [{ country: 'FI', type: 'ocr', value: 'RF17539007547034' }, /modulus 97/],
    [{ country: 'DK', type: 'ocr', value: '2345676' }, /not used in Denmark/],
    [{ country: 'NO', type: 'fik', value: '+71<18+81234567<' }, /not used in Norway/],
    [{ country: 'DK', type: 'fik', value: 'hello' }, /is not the line of a payment form/],
    [{ country: 'DK', type: 'fik', value: '+72<18+81234567<' }, /card type 72/],
    [{ country: 'DK', type: 'fik', cardType: '99', creditorNumber: '81234567' }, /card type 99/],
    [{ country: 'DK', type: 'fik', cardType: '71', paymentId: '18', creditorNumber: '71234567' }, /beginning with 8/],
    [{ country: 'DK', type: 'fik', cardType: '73', creditorNumber: '81234567', message: 'Łódź' }, /"Ł"/],
    [{ country: 'DK', type: 'fik', value: '+71<18+81234567<', message: 'Faktura' }, /has a message/],
    [
      { country: 'DK', type: 'fik', value: '+71<18+81234567<', cardType: '73', creditorNumber: '81234567' },
      /do not match/,
    ],
    [{ country: 'DK', type: 'fik', value: '+71<18+81234567<', paymentId: '26' }, /do not match/],
    [{ country: 'DK', type: 'fik', value: '+71<18+81234567<', creditorNumber: '81234568' }, /do not match/],
    [{ country: 'FI', type: 'message', value: 'Kjøp' }, /"ø" \(U\+00F8\) at position 3/],
    [{ country: 'NO', type: 'message', value: ' ' }, /message is empty/],
    [{ country: 'NO', type: 'message', value: 'x'.repeat(141) }, /has 141 characters; banks accept at most 140/],
  ])('%o: %s', (body, reason) => {
    const text = expect.stringMatching(reason)
    expect(validateRemittance(body)).toEqual({ valid: false, checkMethod: null, normalized: null, reason: text })
  })
})

describe('a request that cannot be validated', () => {
  test.each<[what: string, body: unknown, path: string]>([
    ['no country', { type: 'ocr', value: '18' }, '.country'],
    ['a country that is not served', { country: 'GB', type: 'ocr', value: '18' }, '.country'],
    ['a country in lower case', { country: 'no', type: 'ocr', value: '18' }, '.country'],
    ['a country that is a number', { country: 47, type: 'ocr', value: '18' }, '.country'],
    ['no type', { country: 'NO', value: '18' }, '.type'],
    ['an unknown type', { country: 'NO', type: 'kid', value: '18' }, '.type'],
    ['no value', { country: 'NO', type: 'ocr' }, '.value'],
    ['a value that is a number', { country: 'NO', type: 'ocr', value: 18 }, '.value'],
    ['U+0000 in the value', { country: 'NO', type: 'ocr', value: '18\0' }, '.value'],
    ['a payment form that is neither line nor parts', { country: 'DK', type: 'fik', cardType: '71' }, '.'],
    [
      'a card type that is a number',
      { country: 'DK', type: 'fik', cardType: 71, creditorNumber: '81234567' },
      '.cardType',
    ],
    ['an array', [], '.'],
    ['a text', 'ocr', '.'],
  ])('%s: 422 with the path', async (_what, body, path) => {
    const answer = await validate(typeof body === 'string' ? JSON.stringify(body) : body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject([{ code: 'InvalidRequest', path, reason: expect.any(String) }])
  })

  test.each(['', '{"country":', 'null'])('%j as its body: 400', async (body) => {
    expect(await validate(body)).toMatchObject({ status: 400 })
  })
})

test('requires a token, but no consent', async () => {
  const body = { country: 'NO', type: 'ocr', value: '2345676' }
  expect(await sendRawRequest(gateway, OPERATION, { body })).toMatchObject({ status: 401 })
  expect(
    await sendRawRequest(gateway, OPERATION, { headers: { ...headers, 'consent-id': 'whatever' }, body }),
  ).toMatchObject({
    status: 200,
  })
})

test('repeats its response byte for byte under a key, and rejects another body', async () => {
  const keyed = { ...headers, 'idempotency-key': 'judged-once' }
  const send = (value: string) =>
    sendRawRequest(gateway, OPERATION, { headers: keyed, body: { country: 'NO', type: 'ocr', value } })
  const [first, again, other] = [await send('2345676'), await send('2345676'), await send('18')]
  expect([again.status, JSON.stringify(again.body)]).toEqual([200, JSON.stringify(first.body)])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(other.status).toBe(422)
})
