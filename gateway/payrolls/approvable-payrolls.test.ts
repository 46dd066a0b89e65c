/** Tests that an approval submits nothing for a user without access to the debtor account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import {
  BANKS_BY_SINGLE_MODE,
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
} from '../testing/payrolls/payroll-submission-fixture.ts'
import { requireApprovablePayrolls } from './approve-payrolls.ts'

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())

test('a user whose consent lacks the account is rejected before anything is submitted as that user', async () => {
  const from = nordicBank(BANKS_BY_SINGLE_MODE.chain).supplier
  const payroll = await stage.create('chain', ['1001.01', '2002.02'], { from })
  const requested = [{ id: payroll.id, path: '.payrollId' }]
  const approving = requireApprovablePayrolls(stage.gateway.context, await stage.callerAt('chain'), requested)
  await expect(approving).rejects.toMatchObject({ reasonCode: 'ACCESS_DENIED' })
  expect(await stage.stored(payroll)).toMatchObject({ payroll: { state: 'submitting', stateText: null }, orders: [] })
})
