/** Tests which known name is offered for a misspelt one. */
import { expect, test } from 'vitest'
import { nearestName } from './unknown-fields.ts'

const KNOWN = ['dueDate', 'amount', 'endToEndId', 'bban', 'bic', 'purposeCode', 'postCode', 'to', 'from']

test.each([
  ['due_date', 'dueDate'],
  ['DueDate', 'dueDate'],
  ['due-date', 'dueDate'],
  ['EndToEndID', 'endToEndId'],
  ['BIC', 'bic'],
  ['dueDat', 'dueDate'],
  ['dueDaet', 'dueDate'],
  ['ammount', 'amount'],
  ['bbnn', 'bban'],
  ['postalCode', 'postCode'],
  ['purpusecod', 'purposeCode'],
  ['iban', 'bban'],
  // Too short or too different: a wrong suggestion is worse than none.
  ['tp', null],
  ['bix', null],
  ['reference', null],
  ['', null],
  ['__proto__', null],
])('%s stands for %s', (name, expected) => {
  expect(nearestName(name, KNOWN)).toBe(expected)
})

test('the name with the fewest slips is offered, the same name but for its case first', () => {
  expect(nearestName('post_code', ['postCodes', 'postCod', 'postCode'])).toBe('postCode')
})
