/** Opens the company registries of the settings. */

import type { RegistryName, RegistrySettings } from '../config/company-registry-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { openBrregRegistry } from './brreg/brreg-registry.ts'
import type { CompanyRegistries, CompanyRegistry } from './company-registry.ts'
import { openRegistryClient, type RegistryCall } from './registry-client.ts'
import { openSampleRegistry } from './sample-registry.ts'

/** Opens the registries without calling them. */
export function openRegistries(
  settings: RegistrySettings,
  { clock, observe }: { readonly clock: Pick<Clock, 'real'>; observe(call: RegistryCall): void },
): CompanyRegistries {
  const client = openRegistryClient(observe)
  const registryByName: Record<RegistryName, CompanyRegistry> = {
    sample: openSampleRegistry(clock),
    brreg: openBrregRegistry({ client, clock }),
  }
  return {
    of: (countryCode) => {
      const name = Object.hasOwn(settings, countryCode) ? settings[countryCode] : undefined
      return name === undefined ? null : registryByName[name]
    },
    close: () => client.close(),
  }
}
