/** Tests that the onboarding guide explains every status and reason, and lists the sandbox companies. */
import { expect, test } from 'vitest'
import { OnboardingStatus, OnboardingStatusReason } from '../../contract/onboarding.ts'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import { onboardingGuide } from './onboarding-guide.ts'

const EVERYWHERE = { NO: 'sample', SE: 'sample', DK: 'sample', FI: 'sample' } as const
const sandbox = onboardingGuide({ companyRegistries: EVERYWHERE }).body
const explained = (body: string) =>
  [...body.matchAll(/<dt><code>(.*?)<\/code>/g)].map(([, name = '']) => name.replaceAll('<wbr>', ''))

test('every status and reason is explained', () => {
  expect(explained(sandbox).toSorted()).toEqual([...OnboardingStatus.enum, ...OnboardingStatusReason.enum].toSorted())
})

test('every sandbox company is listed under its outcome, with its name escaped', () => {
  const groups = sandbox.split('<h3>').slice(1)
  for (const { organisationNumber, script } of [...sample.companies, ...sample.absent]) {
    const [group = '', ...others] = groups.filter((one) => one.includes(`<code>${organisationNumber}</code>`))
    const [heading] = group.split('</h3>')
    const reason = script.statusReason === null ? '' : `, <code>${script.statusReason}</code>`
    expect([heading, others]).toEqual([`<code>${script.status}</code>${reason}`, []])
  }
  expect(sandbox).toContain('&#60;script&#62;alert')
  expect(sandbox).not.toContain('<script>')
})

test('sandbox companies are listed only for countries that have them', () => {
  const norway = onboardingGuide({ companyRegistries: { NO: 'sample' } }).body
  expect([norway.includes('987654406'), norway.includes('5599901104')]).toEqual([true, false])
  const production = onboardingGuide({ companyRegistries: { NO: 'brreg' } }).body
  expect([production.includes('987654406'), production.includes('andbox')]).toEqual([false, false])
})
