/** Tests which rejected values an error quotes: codes, dates and choices, and nothing that identifies or pays anyone. */
import { expect, test } from 'vitest'
import { operations } from '../../../../contract/operations.ts'
import { type Place, placeOf, quotedValueAt } from './place.ts'

const payment = placeOf(operations.initiateDomesticPayment.body)
const payroll = placeOf(operations.initiatePayroll.body)

test.each([
  [{ dueDate: '23.11.2026' }, '.dueDate', '23.11.2026'],
  [{ dueDate: 20261123 }, '.dueDate', undefined],
  [{ dueDate: '2026-11-23T10:00:00.000Z' }, '.dueDate', '2026-11-23T10:00:00.000Z'],
  [{ amount: { currency: 'nok' } }, '.amount.currency', 'nok'],
  [{ remittanceInformation: { type: 'kid' } }, '.remittanceInformation.type', undefined],
  [{ remittanceInformation: { type: 'fik', cardType: '99' } }, '.remittanceInformation.cardType', '99'],
  [{ from: { account: { type: 'iban' } } }, '.from.account.type', 'iban'],
  [{ dueDate: 'x'.repeat(50) }, '.dueDate', `${'x'.repeat(40)}…`],
])('of the payment %j the value at %s is quoted as %j', (body, path, quoted) => {
  expect(quotedValueAt(payment, body, path)).toBe(quoted)
})

test('a value that looks like a name, an amount, an account number or a national id is never quoted', () => {
  const suspicious = [
    ...['Ola Nordmann', 'Åse', 'a\nb', '', '86011117947', '8601.11.17947', 'NO9386011117947', 'NO93 8601 1117 947'],
    ...['31250.50', '31250,5', '31250', '-31250.5'],
    ...['01019012345', '010190-12345', '19900101-1234', '900101-1234', '010190-1234', '010190-123A', '010190A123B'],
  ]
  for (const text of suspicious) {
    expect([text, quotedValueAt(payment, { dueDate: text }, '.dueDate')]).toEqual([text, undefined])
  }
})

test('objects, lists and unknown fields are not quoted', () => {
  expect(quotedValueAt(payment, { dueDate: { a: 1 } }, '.dueDate')).toBe(undefined)
  expect(quotedValueAt(payment, { dueDate: ['2026'] }, '.dueDate')).toBe(undefined)
  expect(quotedValueAt(payment, { due_date: '2026' }, '.due_date')).toBe(undefined)
  expect(quotedValueAt(payment, {}, '.')).toBe(undefined)
  expect(quotedValueAt(payment, 'text', '.dueDate')).toBe(undefined)
})

test('of a payroll only dates, currencies and choices are quoted, wherever an error is', () => {
  expect([...quotablePaths(payroll, '')]).toEqual([
    '.transactions[].amount.currency',
    '.transactions[].remittanceInformation.type',
    '.dueDate',
    '.purposeCode',
  ])
})

/** Where a name, an account, an amount, a text or a secret of a request may be. */
const SECRET =
  /name|bban|iban|number|amount$|value|message|information$|reference|secret|token|url|key|userId|endToEnd/i

test('of no operation a field is quoted whose name says that it holds a person, an account, an amount or a secret', () => {
  const paths = Object.values(operations).flatMap((operation) => [
    ...('body' in operation ? quotablePaths(placeOf(operation.body), operation.id) : []),
    ...('query' in operation ? quotablePaths(placeOf(operation.query), operation.id) : []),
  ])
  expect(paths.length).toBeGreaterThan(40)
  expect(paths.filter((path) => SECRET.test(path.slice(path.lastIndexOf('.'))))).toEqual([])
})

function* quotablePaths({ fields, elements, branches, isQuotable }: Place, path: string): Iterable<string> {
  if (isQuotable) {
    yield path
  }
  const found = new Set<string>()
  for (const [name, tree] of fields ?? []) {
    for (const each of quotablePaths(tree, `${path}.${name}`)) {
      found.add(each)
    }
  }
  for (const tree of branches?.byTag.values() ?? []) {
    for (const each of quotablePaths(tree, path)) {
      found.add(each)
    }
  }
  yield* found
  if (elements !== undefined) {
    yield* quotablePaths(elements, `${path}[]`)
  }
}
