/** Renders the tables of the guides that come from data: the sandbox's banks, and the companies for each outcome of an onboarding. */
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import directory from '../../data/sandbox-directory.json' with { type: 'json' }
import type { DocsSettings } from '../docs-settings.ts'

const COUNTRIES: Readonly<Record<string, string>> = { NO: 'Norway', SE: 'Sweden', DK: 'Denmark', FI: 'Finland' }

/** The Markdown of each table, by the name that guides insert it with. */
export const INSERTED_TABLES: Readonly<Record<string, (place: DocsSettings) => string>> = {
  'sandbox-banks': sandboxBanks,
  'onboarding-outcomes': onboardingOutcomes,
}

function sandboxBanks(): string {
  const rows = directory.companies.map(({ countryCode, name, organisationNumber }) => {
    const banks = directory.banks
      .filter((bank) => bank.countryCode === countryCode)
      .map((bank) => `${bank.name} \`${bank.bic}\``)
    return [COUNTRIES[countryCode] ?? countryCode, `${name} \`${organisationNumber}\``, banks.join(', ')]
  })
  return table(['Country', 'Company', 'Banks'], rows)
}

/** Only for countries whose registry is the sample. */
function onboardingOutcomes({ companyRegistries }: Pick<DocsSettings, 'companyRegistries'>): string {
  const scripted = [...sample.companies, ...sample.absent].filter(
    ({ countryCode }) => companyRegistries[countryCode] === 'sample',
  )
  const rows = scripted.map((company) => {
    const { countryCode, organisationNumber, script } = company
    const name = 'name' in company ? escaped(company.name) : 'Not registered'
    const reason = script.statusReason === null ? '' : `, \`${script.statusReason}\``
    return [`${name}, ${countryCode} \`${organisationNumber}\``, `\`${script.status}\`${reason}`, escaped(script.about)]
  })
  const byOutcome = rows.toSorted(([, one = ''], [, other = '']) => one.localeCompare(other, 'en'))
  return rows.length === 0 ? '' : table(['Company', 'Outcome', 'Why'], byOutcome)
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

/** Names of companies contain any character. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&')
}
