/** Opens the provider of exchange that the settings name. */
import { readFile } from 'node:fs/promises'
import type { PemSource } from '../../config/environment-reader.ts'
import type { FxSettings } from '../../config/fx-provider-settings.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { openCurrencycloud } from '../currencycloud/connector.ts'
import type { FxProvider } from '../provider/fx-provider.ts'
import { openSharedBudget } from '../shared-budget.ts'
import { openProviderLine, type ProviderObserver } from './provider-transport.ts'

/** A provider, and how to leave it. */
export type OpenedProvider = { readonly fx: FxProvider | null; close(): Promise<void> }

/** Opens it; it is asked nothing yet. Throws when a file with a key cannot be read. */
export async function openFxProvider(
  settings: FxSettings | null,
  { observe, database }: { readonly observe: ProviderObserver; readonly database: Queryable },
): Promise<OpenedProvider> {
  if (settings === null) {
    return { fx: null, close: async () => undefined }
  }
  const { apiKey, notificationKey, ...access } = settings
  const budget = openSharedBudget(database, settings.provider)
  const line = openProviderLine(settings.provider, { observe })
  const keys = {
    apiKey: await textOf(apiKey),
    notificationKey: notificationKey === null ? null : await textOf(notificationKey),
  }
  return { fx: openCurrencycloud({ line, budget }, { ...access, ...keys }), close: () => line.close() }
}

/** Editors end files with a line's end, which is no part of a key. */
async function textOf(source: PemSource): Promise<string> {
  return 'file' in source ? (await readFile(source.file, 'utf8')).trim() : source.text
}
