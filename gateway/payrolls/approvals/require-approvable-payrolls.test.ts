/** Guarantees about who has payrolls placed by asking to sign them: whoever may not see the account has nothing placed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { ONE_BY_ONE, openPlacingStage, type PlacingStage } from '../../testing/payrolls/payroll-submission-fixture.ts'
import { requireApprovablePayrolls } from './require-approvable-payrolls.ts'

let stage: PlacingStage
beforeAll(async () => {
  stage = await openPlacingStage()
})
afterAll(() => stage.gateway.close())

test('a user whose consent lacks the account is refused before anything is placed as that user', async () => {
  const from = nordicBank(ONE_BY_ONE.chain).supplier
  const payroll = await stage.keep('chain', ['1001.01', '2002.02'], { from })
  const asked = [{ id: payroll.id, path: '.payrollId' }]
  const approving = requireApprovablePayrolls(stage.gateway.context, await stage.callerAt('chain'), asked)
  await expect(approving).rejects.toMatchObject({ reasonCode: 'ACCESS_DENIED' })
  expect(await stage.kept(payroll)).toMatchObject({ payroll: { state: 'placing', stateText: null }, orders: [] })
})
