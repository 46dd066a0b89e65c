/** Opens the configured FX provider. */
import { readFile } from 'node:fs/promises'
import type { FxProviderSettings } from '../../config/fx-settings.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { PemSource } from '../../platform/setting.ts'
import { openSharedCallRateLimiter } from './call-rate-limiter.ts'
import { openCurrencycloud } from './currencycloud/connector.ts'
import type { FxProvider } from './fx-provider.ts'
import { openProviderTransport, type ProviderObserver } from './provider-transport.ts'

/** The provider, null if none is configured, and how to close its connections. */
export type OpenedProvider = { readonly fx: FxProvider | null; close(): Promise<void> }

/** Makes no call yet. Throws when a key file cannot be read. */
export async function openFxProvider(
  settings: FxProviderSettings | null,
  { observe, database }: { readonly observe: ProviderObserver; readonly database: Queryable },
): Promise<OpenedProvider> {
  if (settings === null) {
    return { fx: null, close: async () => undefined }
  }
  const { apiKey, notificationKey, ...access } = settings
  const rateLimiter = openSharedCallRateLimiter(database, settings.provider)
  const transport = openProviderTransport(settings.provider, { observe })
  const keys = {
    apiKey: await textOf(apiKey),
    notificationKey: notificationKey === null ? null : await textOf(notificationKey),
  }
  return { fx: openCurrencycloud({ transport, rateLimiter }, { ...access, ...keys }), close: () => transport.close() }
}

/** Key files may end with a line break, which is not part of the key. */
async function textOf(source: PemSource): Promise<string> {
  return 'file' in source ? (await readFile(source.file, 'utf8')).trim() : source.text
}
