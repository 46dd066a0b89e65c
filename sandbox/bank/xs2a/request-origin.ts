/** Reads from a call whose a new resource is, and where its user and its news go; kept with every one. */
import type { Xs2aCall } from './xs2a-call.ts'

/** Columns of payments, consents and baskets alike. A bank that does not notify keeps no address for it. */
export function originOf({ bank, headers }: Pick<Xs2aCall, 'bank' | 'headers'>) {
  return {
    psu_id: headers.psuId,
    corporate_id: headers.psuCorporateId,
    redirect_uri: headers.redirectUri,
    nok_redirect_uri: headers.nokRedirectUri,
    notification_uri: bank.notifies ? headers.notificationUri : null,
    notification_content: headers.notificationContent,
  }
}
