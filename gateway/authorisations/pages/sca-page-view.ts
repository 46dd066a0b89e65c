/** Collects the data of a session's pages. */
import { originOrSchemeOf } from '../../auth/callback-origin.ts'
import { isDecoupledSca } from '../../banks/connector/bank.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { allowedHostsOf } from '../../identity/provider-discovery.ts'
import type { PageTexts } from '../../page-texts/page-texts.ts'
import type { PageLanguage } from '../../platform/http/pages/page-language.ts'
import { scaSealPurpose } from '../authorisation/start-step-authorisation.ts'
import { basePathOf } from '../browser/requesting-browser.ts'
import { currentScaStep, isAppApproach, type ScaSession, type ScaSubjects } from '../sca-session.ts'
import type { EarlierSignatures, SummaryItem } from '../signature-summary.ts'
import { withFormattedNumbers } from './summary-text.ts'

/** The parties that a page names. `bank` is the identity provider where a person signs at one. */
export type Parties = { readonly partner: string; readonly company: string; readonly bank: string }

/** The data of a page. */
export type ScaPageView = {
  readonly session: ScaSession
  readonly texts: PageTexts
  /** Of the company's country; undefined where the country is unknown. */
  readonly countryLanguages: readonly PageLanguage[] | undefined
  readonly parties: Parties
  /** Who has signed before; undefined where no further signature is awaited, or where the page does not name them. */
  readonly signatures?: EarlierSignatures | undefined
  /** Whether the next signature is given in the user's app instead of on the bank's pages. */
  readonly inApp: boolean
  /** The URL that the forms of this page post to. */
  readonly address: string
  /** Origins that the forms redirect to in the end: the bank's and the partner's. */
  readonly formOrigins: readonly string[]
}

/** The path of a page, and the texts in its language. */
export type ScaPageLocation = { readonly path: string; readonly texts: PageTexts }

/** The view of a session at one of our paths; its forms may redirect to the bank and to the partner. */
export async function scaPageViewOf(
  context: Context,
  subjects: ScaSubjects,
  session: ScaSession,
  { path, texts }: ScaPageLocation,
): Promise<ScaPageView> {
  const provider = await scaProviderOf(context, session)
  const providerOrigins = provider.hosts.flatMap((host) =>
    context.config.mode === 'sandbox' ? [`https://${host}`, `http://${host}`] : [`https://${host}`],
  )
  const approach = currentScaStep(session)?.approach ?? null
  const { partnerName, companyName, countryCode } = await subjects[session.kind].partiesOfSession(context, session)
  return {
    session: withSummaryForPeople(context, session, countryCode),
    texts,
    countryLanguages: countryRules(countryCode)?.languages,
    parties: { partner: partnerName, company: companyName, bank: provider.name },
    inApp: approach === null ? provider.isDecoupled : isAppApproach(approach),
    address: pageAddressOf(context.config, { path }),
    formOrigins: [...providerOrigins, originOrSchemeOf(new URL(session.callbackUrl))],
  }
}

/** With the summary decrypted, and its numbers as they are printed. The evidence has them as they are sent. */
function withSummaryForPeople({ seal }: Context, session: ScaSession, countryCode: string): ScaSession {
  const steps = session.steps.map((step) => {
    const shown: readonly SummaryItem[] =
      step.shownSealed === null
        ? step.shown
        : JSON.parse(seal.open(step.shownSealed, scaSealPurpose('shown', session.id)))
    return { ...step, shown: shown.map((item) => withFormattedNumbers(item, countryCode)) }
  })
  return { ...session, steps }
}

/** The address that the forms of a page post to. */
export function pageAddressOf(config: Pick<Config, 'baseUrl'>, { path }: Pick<ScaPageLocation, 'path'>): string {
  return `${basePathOf(config)}${path}`
}

/** The bank or identity provider; one that is no longer configured is shown by its stored id. */
type ScaProvider = {
  readonly name: string
  /** Hosts that a browser may be redirected to. */
  readonly hosts: readonly string[]
  /** Whether the user will sign in an app. */
  readonly isDecoupled: boolean
}

async function scaProviderOf(
  { banks, config }: Context,
  { bic, identityProvider, preferred }: Pick<ScaSession, 'bic' | 'identityProvider' | 'preferred'>,
): Promise<ScaProvider> {
  if (bic !== null) {
    const bank = await banks.find(bic)
    const isDecoupled = bank !== undefined && isDecoupledSca(bank, preferred)
    return { name: bank?.name ?? bic, hosts: bank?.linkHosts ?? [], isDecoupled }
  }
  const provider = config.identityProviders.find(({ id }) => id === identityProvider)
  const hosts = provider === undefined ? [] : allowedHostsOf(provider)
  return { name: provider?.name ?? identityProvider ?? '', hosts, isDecoupled: false }
}
