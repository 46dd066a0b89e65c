/** Shows that an id which operators need to find an order is no text of the bank that is redacted. */
import { expect, test } from 'vitest'
import { UnusableOrderIdError } from '../banks/connector/bank-error.ts'
import { submitWithRedactedBankText } from './redact-bank-text.ts'

test('an unusable id of an order reaches the operators of a payroll, too', async () => {
  const submitted = submitWithRedactedBankText(() => Promise.reject(new UnusableOrderIdError('unusable', '".."')))
  await expect(submitted).rejects.toMatchObject({ kind: 'outcome-unknown', quotedId: '".."' })
})
