/** `havn doctor`: looks for misconfigurations of an installation, and says what to do about each. */
import type { Environment } from '../../gateway/platform/setting.ts'
import { CHECK_GROUPS } from './check-groups.ts'
import { closeSession } from './database/open-session.ts'
import { hostFacts } from './host/host-facts.ts'
import { inspectInstallation, type Selection } from './inspect-installation.ts'
import { openInstallation } from './open-installation.ts'
import { countFindings, renderGroup, renderJson, renderSummary } from './output/print-report.ts'
import { secretsRedactor } from './output/redact-secrets.ts'

export type DoctorOptions = Partial<Selection> & { readonly json?: boolean }

/** Prints what it finds. The exit code is 1 if there is an error, and 0 with warnings and notes only. */
export async function runDoctor(typed: DoctorOptions, given: Environment): Promise<void> {
  const { offline = false, skip = [], json = false, beforeUpgrade = false } = typed
  const unknown = skip.filter((name) => !Object.hasOwn(CHECK_GROUPS, name))
  if (unknown.length > 0) {
    throw new Error(
      `--skip names no group of checks: ${unknown.join(', ')}; there are ${Object.keys(CHECK_GROUPS).join(', ')}`,
    )
  }
  const installation = await openInstallation(given, hostFacts())
  const redacted = secretsRedactor(installation.environment)
  try {
    const groups = await inspectInstallation(installation, { offline, skip, beforeUpgrade }, (group) => {
      if (!json) {
        console.log(redacted(renderGroup(group)))
      }
    })
    const counts = countFindings(groups)
    console.log(json ? redacted(renderJson(groups)) : `\n${renderSummary(counts)}`)
    process.exitCode = counts.error > 0 ? 1 : 0
  } finally {
    await closeSession(installation.database)
  }
}
