/** Tests the warnings about valid payrolls, and that no warning repeats a value. */

import { expect, test } from 'vitest'
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import { sampleBank } from '../../banks/testing/samples.ts'
import { payrollWarnings } from './payroll-rules.ts'
import { collectValidationErrors, parsePayrollAt } from './validate-payroll.ts'

const profile = (await readBankProfiles(BANK_PROFILES_FOLDER)).get('swedbank')
/** The last four digits of it fail the check of its bank, as those of some old accounts do. */
const OLD_ACCOUNT = '8327-9 123 4567'

function payrollTo(bbans: readonly string[], dueDate = '2026-11-25'): PayrollRequest {
  return {
    from: { account: { bban: '5439-1024039' }, name: 'Handel' },
    transactions: bbans.map((bban, n) => ({
      metadata: { endToEndId: `SAL-${n}` },
      name: 'Ingrid Solbakken',
      account: { bban },
      amount: { amount: '31250.50', currency: 'SEK' },
      remittanceInformation: { type: 'message', value: 'November' },
    })),
    dueDate,
    purposeCode: 'SALA',
  }
}

async function warningsAt(now: string, payroll: PayrollRequest) {
  if (profile === undefined) {
    throw new Error('There is no such profile')
  }
  const row = {
    bic: 'TESTSE22',
    name: 'Testbanken',
    connector: 'berlin-group',
    address: '',
    linkHosts: [],
    certificate: null,
  }
  const constraints = { ...profile.constraints, maxPayrollSize: null }
  const bank: Bank = sampleBank({ ...row, countryCode: 'SE', profile: { ...profile, constraints } })
  const localNow = Temporal.PlainDateTime.from(now)
  const situation = { bank, localNow, organisationNumber: '5599901005', transactionsMax: 10_000 }
  const validation = { situation, isAccountOnConsent: async () => true, texts: [] }
  return await payrollWarnings(await parsePayrollAt(collectValidationErrors(), '', payroll, validation), situation)
}

test('a simple payroll has none', async () => {
  expect(await warningsAt('2026-11-23T09:00', payrollTo(['6000-806967498', '5439-1024039']))).toEqual([])
})

test('an account that looks wrong causes a warning at its path, which is not repeated', async () => {
  const warnings = await warningsAt('2026-11-23T09:00', payrollTo(['6000-806967498', OLD_ACCOUNT]))
  expect(warnings.map(({ code, path }) => [code, path])).toEqual([
    ['AccountNumberUnverified', '.transactions[1].account.bban'],
  ])
  expect(JSON.stringify(warnings)).not.toMatch(/8327|4567/)
})

test('a day whose cut-off has passed causes one warning, with the last of the execution dates', async () => {
  const warnings = await warningsAt('2026-11-25T23:30', payrollTo(['5439-1024039', '6000-806967498', '6000-806967498']))
  expect(warnings).toMatchObject([{ code: 'DueDateMoved', path: '.dueDate', expectedExecutionDate: '2026-11-26' }])
})

test('of more than a thousand, the first thousand are returned', async () => {
  const payroll = payrollTo(Array.from({ length: 1_001 }, () => OLD_ACCOUNT))
  const warnings = await warningsAt('2026-11-23T09:00', payroll)
  expect(warnings).toHaveLength(1_000)
  expect(warnings.at(-1)?.path).toBe('.transactions[999].account.bban')
})
