/** Opens the complete gateway context, with banks and encryption, for commands that settle money. */

import { readConfig } from '../../gateway/config/config.ts'
import type { Context } from '../../gateway/context.ts'
import { readClock } from '../../gateway/platform/database/business-clock-store.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { certificateFilesIn, gatewaySettingsOf } from '../../launcher/certificates/sandbox-certificates.ts'
import { dataFolderOf } from '../../launcher/data-folder.ts'
import { openContext } from '../../launcher/roles/open-context.ts'
import { findDatabase, withAdvice } from './operator-context.ts'

/** Runs a command and closes its context. */
export async function withGatewayContext(
  environment: NodeJS.ProcessEnv,
  carryOut: (context: Context) => Promise<void>,
): Promise<void> {
  const config = readConfig(await settingsOf(environment))
  // Only results are printed: log lines would be mixed with them.
  const log = openLog({ program: 'havn', level: 'silent' })
  try {
    const { context, close } = await openContext(config, log, { program: 'havn tasks', processMetrics: false })
    try {
      await readClock(context.database, context.clock)
      await carryOut(context)
      await notifyDue(context.database)
    } finally {
      await close()
    }
  } catch (error) {
    throw withAdvice(error)
  }
}

/** The gateway's settings; without DATABASE_URL, those of the Havn that runs with this data folder. */
async function settingsOf(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (environment['DATABASE_URL']?.trim()) {
    return environment
  }
  const folder = dataFolderOf(environment)
  return {
    HAVN_MODE: 'sandbox',
    HAVN_MASTER_KEY_FILE: folder.masterKeyFile,
    ...gatewaySettingsOf(certificateFilesIn(folder.certificates)),
    ...environment,
    DATABASE_URL: await findDatabase(environment),
  }
}
