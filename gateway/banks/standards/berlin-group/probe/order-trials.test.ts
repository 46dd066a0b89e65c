/** Shows when a bank's answer to an order with another field accepts that field. */
import { expect, test } from 'vitest'
import { parseBankErrors } from '../transport/bank-errors.ts'
import { compareAnswers } from './order-trials.ts'
import type { ProbeAnswer } from './prober.ts'

const NAME = 'remittanceInformationUnstructured'

/** Errors as `path: text`, or `: text` for one without a path. */
function answer(status: number, ...errors: readonly string[]): ProbeAnswer {
  const tppMessages = errors.map((error) => {
    const [path = '', text] = error.split(': ')
    return { category: 'ERROR', code: 'FORMAT_ERROR', ...(path === '' ? {} : { path }), text }
  })
  const body = JSON.stringify({ tppMessages })
  return { method: 'POST', status, headers: {}, body, errors: parseBankErrors(body), created: undefined }
}

const account = 'debtorAccount: wrong check digits'
const generic = ': The order cannot be processed'
const trace = (id: string) => `debtorAccount: wrong check digits, trace ${id}`

test.each<[string, ProbeAnswer, ProbeAnswer, string]>([
  ['the same complaint about the debtor account', answer(400, account), answer(400, account), 'accepted'],
  [
    'the same, with another trace id',
    answer(400, trace('6f1d2c00-0000-4000-8000-000000000001')),
    answer(400, trace('6f1d2c00-0000-4000-8000-000000000002')),
    'accepted',
  ],
  ['both orders accepted', answer(201), answer(201), 'accepted'],
  ['a complaint about the field', answer(400, account), answer(400, account, `${NAME}: unknown`), 'rejected'],
  ['a complaint in the text only', answer(400, account), answer(400, `: ${NAME} is unknown`), 'rejected'],
  ['a complaint about a longer name', answer(201), answer(400, `${NAME}Array: is missing`), 'rejected'],
  ['a new complaint that names nothing', answer(400, account), answer(400, generic), 'rejected'],
  ['an accepted order that is rejected with the field', answer(201), answer(400), 'rejected'],
  ['the same complaint for another reason', answer(400, generic), answer(400, generic), 'unclear'],
  ['the same complaint without a reason', answer(400), answer(400), 'unclear'],
  [
    'a required field that is complained about still',
    answer(400, `${NAME}: missing`),
    answer(400, `${NAME}: is a list`),
    'rejected',
  ],
  ['the same, in the same words', answer(400, `${NAME}: invalid`), answer(400, `${NAME}: invalid`), 'rejected'],
  [
    'a required field that is complained about no more',
    answer(400, `${NAME}: missing`),
    answer(400, account),
    'accepted',
  ],
  ['the same, while another reason stays', answer(400, `${NAME}: missing`, generic), answer(400, generic), 'accepted'],
  ['a limit of requests', answer(400, account), answer(429), 'unclear'],
  ['a failure', answer(400, account), answer(500), 'unclear'],
  ['a token that is wanted', answer(400, account), answer(401, account), 'unclear'],
  ['a failure of the order without the field', answer(503), answer(400, account), 'unclear'],
])('%s', (_what, base, next, verdict) => {
  expect(compareAnswers(next, { base, fields: { [NAME]: 'x' }, isStrict: false })).toMatchObject({ verdict })
})

test('a bank that rejects unknown fields accepts a field to which it does not object', () => {
  const base = answer(400, generic)
  expect(compareAnswers(base, { base, fields: { [NAME]: 'x' }, isStrict: true })).toMatchObject({ verdict: 'accepted' })
})
