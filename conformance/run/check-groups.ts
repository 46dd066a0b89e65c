/** Lists the groups of checks in the order in which they run. */
import type { CheckGroup } from '../check.ts'
import { BEARER_CHECKS } from '../checks/bearer-checks.ts'
import { ERROR_CHECKS } from '../checks/error-checks.ts'
import { HEADER_CHECKS } from '../checks/header-checks.ts'
import { PARTNER_CHECKS } from '../checks/partner-checks.ts'
import { SCHEMA_CHECKS } from '../checks/schema-checks.ts'
import { TOKEN_CHECKS } from '../checks/token-checks.ts'

/** The last two look at the responses of all others. */
export const CHECK_GROUPS: readonly CheckGroup[] = [
  { id: 'authentication', title: 'Authentication', checks: [...TOKEN_CHECKS, ...BEARER_CHECKS, ...PARTNER_CHECKS] },
  { id: 'errors', title: 'Errors', checks: ERROR_CHECKS },
  { id: 'schemas', title: 'Schemas', checks: SCHEMA_CHECKS },
  { id: 'headers', title: 'Headers', checks: HEADER_CHECKS },
]
