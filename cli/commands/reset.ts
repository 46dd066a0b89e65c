/** `havn reset`: forgets everything of the data folder, its database and its master key included. */
import { rm } from 'node:fs/promises'
import { removeEmbeddedPostgres } from '../../gateway/foundation/database/embedded-postgres.ts'
import { dataFolderAt, holdDataFolder } from '../supervisor/data-folder.ts'
import { readStartSettings } from '../supervisor/settings.ts'

/** Empties the folder; refuses while Havn runs with it. */
export async function reset(environment: NodeJS.ProcessEnv): Promise<void> {
  const { dataDir } = readStartSettings(environment)
  const folder = dataFolderAt(dataDir)
  const letGo = await holdDataFolder(folder)
  try {
    await removeEmbeddedPostgres(folder.postgres)
    await rm(folder.logs, { recursive: true, force: true })
    await rm(folder.masterKeyFile, { force: true })
    await rm(folder.certificates, { recursive: true, force: true })
  } finally {
    await letGo()
  }
  console.log(`${dataDir} is empty; npm start begins anew.`)
}
