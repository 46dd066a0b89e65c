/** Lists all groups of checks, in the order in which they are reported. */

import { banksGroup } from './banks/banks-group.ts'
import { certificatesGroup } from './certificates/certificates-group.ts'
import { type CheckGroup, checksOf } from './check.ts'
import { databaseGroup } from './database/database-group.ts'
import { filesGroup } from './files/files-group.ts'
import { hostGroup } from './host/host-group.ts'
import { providersGroup } from './providers/providers-group.ts'
import { publicGroup } from './public/public-group.ts'
import { settingsGroup } from './settings/settings-group.ts'
import { upgradeGroup } from './upgrade/upgrade-group.ts'

/** By the name that `--skip` takes. */
export const CHECK_GROUPS: Readonly<Record<string, CheckGroup>> = {
  settings: settingsGroup,
  files: filesGroup,
  database: databaseGroup,
  host: hostGroup,
  certificates: certificatesGroup,
  banks: banksGroup,
  providers: providersGroup,
  public: publicGroup,
  upgrade: upgradeGroup,
}

/** The finding of a group that did not end, or that failed for a reason that no check names. */
export const UNFINISHED = checksOf('operating/incidents.md').warning(
  'the checks of a group did not end, or failed for an unknown reason',
)
