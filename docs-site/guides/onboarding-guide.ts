/** The guide to onboarding: the flow, its statuses, and the sandbox companies for each outcome. */
import { html } from 'ghtml'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import { type DocsSettings, definitionList, type Guide } from './guide.ts'

const STATUSES = [
  ['Created', 'The link has not been opened.'],
  ['AwaitingCustomerAction', 'The company must complete the form or sign.'],
  ['ManualHandling', 'We review it and may request documents from the company.'],
  ['Accepted', 'The company is onboarded, for payments and account information.'],
  ['Rejected', 'The company was rejected; see the reason.'],
  ['Cancelled', 'Cancelled by you or the company, or another onboarding of the company was accepted.'],
  ['Expired', 'There was no visit for 24 hours.'],
] as const

const REASONS = [
  ['CompanyNotFound', 'The company is not in the company registry, or has been removed from it.'],
  ['UnsupportedCompanyType', 'This form of organisation is not supported, e.g. associations and housing cooperatives.'],
  ['RiskEvaluation', 'The company or its owners require a review, or did not pass it.'],
  ['MissingDocuments', 'Documents are required for information that the registry does not have.'],
  ['SignatureExpired', 'The form was completed, but not all signers signed in time.'],
] as const

/** The onboarding chapter; with the sample registry it lists all sandbox companies. */
export function onboardingGuide({ companyRegistries }: Pick<DocsSettings, 'companyRegistries'>): Guide {
  const scripted = [...sample.companies, ...sample.absent].filter(
    ({ countryCode }) => companyRegistries[countryCode] === 'sample',
  )
  return {
    id: 'onboarding',
    title: 'Onboarding a company',
    body: `<p>Before a company can pay, it must be onboarded: <a href="#startOnboarding">startOnboarding</a> returns a URL to
send to the company. There its representatives check the data of the company registry, state who owns the company, accept the
terms and sign. They may leave and return by the same URL; each visit extends the link by 24 hours. Anyone with the URL can fill
in the form for the company, so send it to the company only.</p>
<p><strong>Signers</strong> follow from the registry: one person alone, or several jointly. Each signer can get a personal
link, which shows only the company’s name until the signer has identified.</p>
<p><strong>The outcome</strong> is returned by <a href="#getOnboardingStatus">getOnboardingStatus</a>. The user returns to your
<code>redirectUrl</code> with <code>status=success</code> or <code>cancelled</code>: this only says that the user is done, not the
outcome. An accepted onboarding cannot be changed; starting another one for the same company returns
<code>COMPANY_ALREADY_EXISTS</code> and the <code>onboardingId</code>.</p>
${definitionList(STATUSES)}
<p><code>statusReason</code> has the reason, where there is one:</p>
${definitionList(REASONS)}
${scripted.length === 0 ? '' : scripts(scripted)}`,
  }
}

type Scripted = Pick<(typeof sample.companies)[number], 'countryCode' | 'organisationNumber' | 'script'> & {
  readonly name?: string
}

function scripts(scripted: readonly Scripted[]): string {
  const groups = Map.groupBy(scripted, ({ script }) => outcomeOf(script))
  return `<p><strong>In the sandbox</strong> all companies are fictitious. The company determines the outcome, if the
registered data is entered, an allowed combination signs, and no operator intervenes. Each company that can be accepted has a user
and an account at each bank of its country; <a href="docs/sandbox">docs/sandbox</a> lists them:</p>
${[...groups].map(([outcome, companies]) => `<h3>${outcome}</h3><ul>${companies.map(scriptedCompany).join('')}</ul>`).join('')}
${withoutBrowser()}`
}

function outcomeOf({ status, statusReason }: Scripted['script']): string {
  return statusReason === null
    ? html`<code>${status}</code>`
    : html`<code>${status}</code>, <code>${statusReason}</code>`
}

function scriptedCompany({ countryCode, organisationNumber, name = 'Not registered', script }: Scripted): string {
  return html`<li>${name}, ${countryCode} <code>${organisationNumber}</code>. ${script.about}</li>`
}

/** Links to the sandbox operations that simulate the company's users. */
function withoutBrowser(): string {
  const all: readonly Operation[] = Object.values(operations)
  const steps = all.filter(({ path, sandboxOnly }) => sandboxOnly && path.startsWith('/api/sandbox/onboardings/'))
  const links = steps.map(({ id, summary }) => html`<li><a href="#${id}">${id}</a>: ${summary}</li>`)
  return links.length === 0
    ? ''
    : `<p><strong>Without a browser</strong> your tests can simulate the company’s users:</p><ul>${links.join('')}</ul>`
}
