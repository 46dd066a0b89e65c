/** Tests `havn payroll` on the command line, with a real gateway and bank. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../gateway/platform/ids.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import {
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
} from '../../gateway/testing/payrolls/payroll-submission-fixture.ts'

/** Each command is a process of its own; a busy machine takes seconds for one. */
const TEST_MILLISECONDS = 90_000
/** The bank rejects the receiver's account, for any receiver. */
const REJECTED_AMOUNT = '7732.00'

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())

async function havn(...words: string[]): Promise<string> {
  const { connectionString } = stage.gateway
  const env = { DATABASE_URL: connectionString, HAVN_OPERATOR: 'Ingrid' }
  const { out, error } = await runHavnCommand(words, env)
  return out + error
}

describe('havn payroll', { timeout: TEST_MILLISECONDS }, () => {
  it('lists payrolls that are not fully submitted, and prints one without receivers and amounts', async () => {
    expect(await havn('payroll', 'list')).toBe('No open payrolls.\n')
    const payroll = await stage.create('chain', [
      '1001.01',
      '1002.02',
      '1003.03',
      '1004.04',
      REJECTED_AMOUNT,
      '1006.06',
    ])
    expect(await havn('payroll', 'list')).toMatch(
      new RegExp(`${payroll.id}\\s+HAVBNO22\\s+NO 987654325\\s+chain\\s+submitting\\s+6\\s`),
    )
    expect(await havn('payroll', 'show', payroll.id)).toMatch(/next submission\s+20\S+Z\n/)
    await stage.submit(payroll)
    expect(await havn('payroll', 'list')).toMatch(/chain\s+failing/)
    const shown = await havn('payroll', 'show', payroll.id)
    expect(shown).toMatch(/state\s+failing: The bank does not accept the receiver's account\n/)
    expect(shown).toMatch(/next submission\s+-\n/)
    expect(shown).toMatch(/transactions\s+6: .*1 Rejected, \d Unsigned\n/)
    expect(shown).toMatch(/known\s+Unsigned\s+\d\s+[0-9a-f-]{36}/)
    const { main, supplier, supplierName } = nordicBank('HAVBNO22')
    for (const secret of [main, supplier, supplierName, '1001.01', '1001,01', '100101', 'SAL-']) {
      expect(shown).not.toContain(secret)
    }
    await stage.gateway.sweep()
    expect(await havn('payroll', 'list')).toBe('No open payrolls.\n')
    expect(await havn('payroll', 'show', payroll.id)).toMatch(/state\s+failed: /)
  })

  it('rejects an unknown payroll id', async () => {
    const id = newId()
    expect(await havn('payroll', 'show', id)).toContain(`There is no payroll ${id}`)
    expect(await havn('payroll', 'show', 'x')).toContain('x is not a payroll id')
  })
})
