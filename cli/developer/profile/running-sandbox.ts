/** Finds the `npm start` that runs in the present folder, whose demo partner needs no login. */
import { resolve } from 'node:path'
import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import { dataFolderPaths, readRunningHavn } from '../../../launcher/data-folder.ts'
import type { Profile } from './profile-file.ts'

/** The demo partner at the Havn that runs with the data folder of this folder; undefined without one. */
export async function findRunningSandbox(environment: NodeJS.ProcessEnv): Promise<Profile | undefined> {
  const folder = dataFolderPaths(resolve(environment['HAVN_DATA_DIR']?.trim() || '.havn'))
  const running = await readRunningHavn(folder)
  return running?.gatewayUrl === undefined || running.hasDemoPartner !== true
    ? undefined
    : { baseUrl: running.gatewayUrl, environment: 'sandbox', ...demoCredentials }
}
