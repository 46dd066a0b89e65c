/** Opens the company registries that the settings name. */

import type { RegistryName, RegistrySettings } from '../config/company-registry-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { openBrregRegistry } from './brreg/brreg-registry.ts'
import type { CompanyRegistries, CompanyRegistry } from './company-registry.ts'
import { openRegistryLine, type RegistryCall } from './registry-client.ts'
import { openSampleRegistry } from './sample-registry.ts'

/** Opens them; nothing is asked yet. */
export function openRegistries(
  settings: RegistrySettings,
  { clock, observe }: { readonly clock: Pick<Clock, 'real'>; observe(call: RegistryCall): void },
): CompanyRegistries {
  const line = openRegistryLine(observe)
  const open: Record<RegistryName, () => CompanyRegistry> = {
    sample: () => openSampleRegistry(clock),
    brreg: () => openBrregRegistry({ line, clock }),
  }
  const opened = new Map(
    Object.values(settings).flatMap((name) => (name === undefined ? [] : [[name, open[name]()] as const])),
  )
  return {
    of: (countryCode) => {
      const name = Object.hasOwn(settings, countryCode) ? settings[countryCode] : undefined
      return (name === undefined ? undefined : opened.get(name)) ?? null
    },
    close: () => line.close(),
  }
}
