/** Gathers what a page of a signing is written from. */
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { SigningView } from './pages.ts'
import type { Signing, SigningKinds } from './signing.ts'

/** The view at a path of ours; its forms may lead to the bank, and back to the partner. */
export async function viewOf(
  context: Context,
  kinds: SigningKinds,
  signing: Signing,
  path: string,
): Promise<SigningView> {
  const bank = await context.banks.find(signing.bic)
  const bankOrigins = (bank?.linkHosts ?? []).flatMap((host) =>
    context.config.mode === 'sandbox' ? [`https://${host}`, `http://${host}`] : [`https://${host}`],
  )
  return {
    signing,
    address: `${basePathOf(context.config)}${path}`,
    summary: await kinds[signing.kind].summarise(context, signing),
    bankName: bank?.name ?? signing.bic,
    formOrigins: [...bankOrigins, new URL(signing.callbackUrl).origin],
  }
}

/** The path that browsers see before ours when `baseUrl` has one, which a proxy takes off; empty without. */
export function basePathOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}
