/** Gathers what a page of a signing is written from. */
import type { Bank } from '../banks/bank.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { PageLanguage } from '../foundation/http/page-language.ts'
import type { SigningView } from './pages.ts'
import { isSignedInApp } from './signed-in-app.ts'
import { currentStep, type Signing, type SigningKinds } from './signing.ts'
import { textsIn } from './texts/texts-in.ts'

/** Where a page is, and for whom. */
export type PageAsked = { readonly path: string; readonly language: PageLanguage }

/** The view at a path of ours; its forms may lead to the bank, and back to the partner. */
export async function viewOf(
  context: Context,
  kinds: SigningKinds,
  signing: Signing,
  { path, language }: PageAsked,
): Promise<SigningView> {
  const bank = await context.banks.find(signing.bic)
  const bankOrigins = (bank?.linkHosts ?? []).flatMap((host) =>
    context.config.mode === 'sandbox' ? [`https://${host}`, `http://${host}`] : [`https://${host}`],
  )
  const { partnerName, companyName } = await kinds[signing.kind].summarise(context, signing)
  return {
    signing,
    texts: textsIn(language),
    parties: { partner: partnerName, company: companyName, bank: bank?.name ?? signing.bic },
    inApp: isInApp(bank, signing),
    address: `${basePathOf(context.config)}${path}`,
    formOrigins: [...bankOrigins, new URL(signing.callbackUrl).origin],
  }
}

/** The path that browsers see before ours when `baseUrl` has one, which a proxy takes off; empty without. */
export function basePathOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

/** By how it has begun; before that, by what the bank has. */
function isInApp(bank: Bank | undefined, signing: Signing): boolean {
  const way = currentStep(signing)?.way ?? null
  if (way !== null) {
    return way === 'app' || way === 'code'
  }
  return bank !== undefined && isSignedInApp(bank, signing.preferred)
}
