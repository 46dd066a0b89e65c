/** Tests which fields are unknown, how they are named, that no value is named, and that they are left out. */
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { PayrollRequest } from '../../../../contract/payrolls/payroll-request.ts'
import { placeOf } from './place.ts'
import { findUnknownFields, UNKNOWN_FIELDS_MAX, withoutUnknownFields } from './unknown-fields.ts'

const Payment = Type.Object({
  dueDate: Type.String(),
  amount: Type.Object({ amount: Type.String(), currency: Type.String() }),
  settings: Type.Record(Type.String(), Type.String()),
  remittance: Type.Unsafe({
    discriminator: { propertyName: 'type' },
    oneOf: [
      Type.Object({ type: Type.Literal('message'), value: Type.String() }),
      Type.Object({ type: Type.Literal('ocr'), ocr: Type.String() }),
    ],
  }),
  transactions: Type.Array(Type.Object({ name: Type.String(), amount: Type.Object({ amount: Type.String() }) })),
})
const tree = placeOf(Payment)
const found = async (value: unknown) =>
  (await findUnknownFields([['body', tree, value]])).map(({ path, nearest }) => [path, nearest])

describe('an unknown field', () => {
  test.each<[string, unknown, readonly (readonly [string, string | null])[]]>([
    ['of the body', { due_date: 1, dueDate: 'x' }, [['.due_date', 'dueDate']]],
    ['of an object', { amount: { amount: '1', curency: 'NOK' } }, [['.amount.curency', 'currency']]],
    ['is compared with fields of its object only', { amount: { dueDate: '' } }, [['.amount.dueDate', null]]],
    ['is not searched', { other: { more: { fields: 1 } } }, [['.other', null]]],
    ['of a map does not exist', { settings: { anything: 'x' } }, []],
    [
      'of a union is one of the selected branch',
      { remittance: { type: 'ocr', value: 1 } },
      [['.remittance.value', null]],
    ],
    ['of a union whose tag is no text does not exist', { remittance: { type: { toString: 1 }, value: 1 } }, []],
    ['of a union without a branch does not exist', { remittance: { kind: 'ocr', value: 1 } }, []],
    ['of a value of another type does not exist', { amount: [{ x: 1 }], transactions: { x: 1 } }, []],
    [
      'of a list is named once, at its first element',
      { transactions: [{ name: 'A' }, { nmae: 1, amount: { Amount: 1 } }, { nmae: 1 }, { nmae: 1, salary: 1 }] },
      [
        ['.transactions[1].nmae', 'name'],
        ['.transactions[1].amount.Amount', 'amount'],
        ['.transactions[3].salary', null],
      ],
    ],
    ['of no object does not exist', 'text', []],
  ])('%s', async (_what, value, expected) => {
    expect(await found(value)).toEqual(expected)
    expect(await found(await withoutUnknownFields(tree, value))).toEqual([])
  })

  test('is left out of an order, and of each salary, which keep what is known', async () => {
    const salary = { name: 'A', remittanceInformation: { type: 'message', value: 'Pay' } }
    const known = { purposeCode: 'SALA', transactions: [salary, { ...salary, amount: { amount: 1 } }, 7] }
    const message = { ...salary.remittanceInformation, debtorReference: 'which domestic payments have' }
    const [, other] = known.transactions
    const transactions = [{ ...salary, Name: 'B', remittanceInformation: message }, other, 7]
    const sent = { ...known, due_date: '2026-01-02', transactions }
    expect(await withoutUnknownFields(placeOf(PayrollRequest), sent)).toEqual(known)
  })

  test.each([
    ['86011117947', '.?'],
    ['n01815012345', '.?'],
    ['{"client_secret":"s3cret"}', '.?'],
    ['Kari Nordmann', '.?'],
    ['næste', '.?'],
    ['line\r\nbreak', '.?'],
    ['a"b\\', '.?'],
    ['', '.?'],
    ['x'.repeat(500), `.${'x'.repeat(40)}~`],
    ['payments[0].amount', '.payments[0].amount'],
  ])('whose name is %j is named %s', async (name, path) => {
    expect(await found({ [name]: 1 })).toEqual([[path, null]])
  })

  test('is one of at most 20', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, index]))
    expect(await found({ ...many, transactions: [many, many] })).toHaveLength(UNKNOWN_FIELDS_MAX)
    expect(await found({ transactions: [many, many] })).toHaveLength(UNKNOWN_FIELDS_MAX)
  })
})
