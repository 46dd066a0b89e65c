/** Gathers what a page of a signing is written from. */
import { registeredBy } from '../auth/callback-origin.ts'
import { stepPurpose } from '../authorisations/authorisation/start-step-authorisation.ts'
import type { SigningView } from '../authorisations/pages/pages.ts'
import { textsIn } from '../authorisations/pages/texts/texts-by-language.ts'
import { placeOf, type SigningPlace } from '../authorisations/sca-provider.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import type { PageLanguage } from '../platform/http/pages/page-language.ts'
import { currentStep, type Signing, type SigningKinds } from './signing.ts'

/** Where a page is, and for whom. */
export type PageAsked = { readonly path: string; readonly language: PageLanguage }

/** The view at a path of ours; its forms may lead to the bank, and back to the partner. */
export async function viewOf(
  context: Context,
  kinds: SigningKinds,
  signing: Signing,
  { path, language }: PageAsked,
): Promise<SigningView> {
  const place = await placeOf(context, signing)
  const placeOrigins = place.hosts.flatMap((host) =>
    context.config.mode === 'sandbox' ? [`https://${host}`, `http://${host}`] : [`https://${host}`],
  )
  const { partnerName, companyName } = await kinds[signing.kind].summarise(context, signing)
  return {
    signing: opened(context, signing),
    texts: textsIn(language),
    parties: { partner: partnerName, company: companyName, bank: place.name },
    inApp: isInApp(place, signing),
    address: `${basePathOf(context.config)}${path}`,
    formOrigins: [...placeOrigins, registeredBy(new URL(signing.callbackUrl))],
  }
}

/** With what it shows readable, for the page that shows it. */
function opened({ seal }: Pick<Context, 'seal'>, signing: Signing): Signing {
  const steps = signing.steps.map((step) =>
    step.shownSealed === null
      ? step
      : { ...step, shown: JSON.parse(seal.open(step.shownSealed, stepPurpose('shown', signing.id))) },
  )
  return { ...signing, steps }
}

/** The path that browsers see before ours when `baseUrl` has one, which a proxy takes off; empty without. */
export function basePathOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

/** By how it has begun; before that, by what there is. */
function isInApp(place: SigningPlace, signing: Signing): boolean {
  const way = currentStep(signing)?.way ?? null
  if (way !== null) {
    return way === 'app' || way === 'code'
  }
  return place.isInApp(signing.preferred)
}
