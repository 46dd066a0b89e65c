"""The methods of the asynchronous client: one for each operation."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from collections.abc import AsyncIterator, Awaitable
from datetime import date
from typing import Literal, TypeVar

from pydantic import AwareDatetime, BaseModel

from .. import models
from .._iteration import iterate_pages_async, iterate_positions_async
from .._operation import Arguments, Operation, PsuSession
from . import operations

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


class AsyncMethods:
    """One method for each operation of the API; the arguments are those of the operation."""

    def _call(self, operation: Operation[T], arguments: Arguments) -> Awaitable[T]:
        raise NotImplementedError

    def _download(
        self, operation: Operation[T], arguments: Arguments, media_type: str
    ) -> Awaitable[bytes]:
        raise NotImplementedError

    def _iterate(
        self, operation: Operation[T], arguments: Arguments, name: str, item: type[M]
    ) -> AsyncIterator[M]:
        raise NotImplementedError

    async def issue_token(
        self,
        body: models.TokenRequest,
        *,
        timeout: float | None = None,
    ) -> models.Token:
        """Issue an access token.

        To be called from a trusted backend only. Reuse the token until shortly before it expires.

        Args:
        body: The body of the request.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ISSUE_TOKEN,
            Arguments(
                body=body,
                timeout=timeout,
            ),
        )

    async def get_keys(
        self,
        *,
        timeout: float | None = None,
    ) -> models.JsonWebKeySet:
        """Get the token signing keys.

        The public keys (JWK set, RFC 7517) of access tokens. Keys are rotated: fetch them again for
        an unknown `kid`.

        Args:
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_KEYS,
            Arguments(
                timeout=timeout,
            ),
        )

    async def get_server_metadata(
        self,
        *,
        timeout: float | None = None,
    ) -> models.ServerMetadata:
        """Get the metadata of the authorisation server.

        The metadata of the authorisation server (RFC 8414).

        Args:
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_SERVER_METADATA,
            Arguments(
                timeout=timeout,
            ),
        )

    async def list_banks(
        self,
        country_code: str,
        *,
        timeout: float | None = None,
    ) -> list[models.Bank]:
        """List the banks of a country.

        Each bank with its products, limits and cut-off times.

        Args:
        country_code: The country (ISO 3166-1 alpha-2), for example `NO`.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_BANKS,
            Arguments(
                path={
                    "countryCode": country_code,
                },
                timeout=timeout,
            ),
        )

    async def get_bank(
        self,
        country_code: str,
        bic: str,
        *,
        timeout: float | None = None,
    ) -> models.Bank:
        """Get a bank.

        The products, limits and cut-off times of one bank.

        Args:
        country_code: The country (ISO 3166-1 alpha-2), for example `NO`.
        bic: The bank's BIC.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_BANK,
            Arguments(
                path={
                    "countryCode": country_code,
                    "bic": bic,
                },
                timeout=timeout,
            ),
        )

    async def list_countries(
        self,
        *,
        timeout: float | None = None,
    ) -> list[models.CountrySummary]:
        """List the receiver countries.

        The countries to which cross-border payments can be sent.

        Args:
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_COUNTRIES,
            Arguments(
                timeout=timeout,
            ),
        )

    async def get_payment_requirement(
        self,
        country: str,
        *,
        currency: str | None = None,
        timeout: float | None = None,
    ) -> models.PaymentRequirement:
        """Get the payment requirements of a country.

        Quotes and payments are validated by the same rules: an order that meets them is not
        rejected for its receiver. Without a currency the response covers all currencies.

        Args:
        country: The country of the receiver's bank (ISO 3166-1 alpha-2), for example `US`.
        currency: The currency in which the receiver is paid.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_PAYMENT_REQUIREMENT,
            Arguments(
                path={
                    "country": country,
                },
                query={
                    "currency": currency,
                },
                timeout=timeout,
            ),
        )

    async def list_regulatory_codes(
        self,
        country_code: str,
        *,
        timeout: float | None = None,
    ) -> models.RegulatoryCodes:
        """List the regulatory reporting codes.

        The codes that the central bank of the payer’s country requires with some payments abroad.

        Args:
        country_code: The payer's country (ISO 3166-1 alpha-2): `NO`, `SE`, `DK` or `FI`.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_REGULATORY_CODES,
            Arguments(
                path={
                    "countryCode": country_code,
                },
                timeout=timeout,
            ),
        )

    async def list_companies(
        self,
        *,
        timeout: float | None = None,
    ) -> list[models.Company]:
        """List the partner's companies.

        The companies that the partner acts for, by name.

        Args:
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_COMPANIES,
            Arguments(
                timeout=timeout,
            ),
        )

    async def activate_subscription(
        self,
        country_code: str,
        organization_number: str,
        *,
        timeout: float | None = None,
    ) -> models.Company:
        """Activate the subscription of a company.

        Takes effect from the next request. Repeating the request changes nothing.

        Args:
        country_code: The country of the company (ISO 3166-1 alpha-2).
        organization_number: The organisation number.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ACTIVATE_SUBSCRIPTION,
            Arguments(
                path={
                    "countryCode": country_code,
                    "organizationNumber": organization_number,
                },
                timeout=timeout,
            ),
        )

    async def cancel_subscription(
        self,
        country_code: str,
        organization_number: str,
        *,
        timeout: float | None = None,
    ) -> models.Company:
        """Cancel the subscription of a company.

        New requests for the company are rejected; existing payments are still tracked until final.
        Repeating it changes nothing.

        Args:
        country_code: The country of the company (ISO 3166-1 alpha-2).
        organization_number: The organisation number.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.CANCEL_SUBSCRIPTION,
            Arguments(
                path={
                    "countryCode": country_code,
                    "organizationNumber": organization_number,
                },
                timeout=timeout,
            ),
        )

    async def list_onboardings(
        self,
        *,
        status: models.OnboardingStatus | None = None,
        organization_number: str | None = None,
        timeout: float | None = None,
    ) -> list[models.Onboarding]:
        """List onboardings.

        The onboardings of the partner, optionally of one company or status.

        Args:
        status: Created: the url was not opened yet. AwaitingCustomerAction: the company must act.
                ManualHandling: we review it. Accepted: the company is onboarded. Rejected: see the
                reason. Cancelled: by you, by the company, or because another onboarding of the same
                company was accepted. Expired: no activity for 24 hours.
        organization_number: Onboardings of this company.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_ONBOARDINGS,
            Arguments(
                query={
                    "status": status,
                    "organizationNumber": organization_number,
                },
                timeout=timeout,
            ),
        )

    async def start_onboarding(
        self,
        body: models.OnboardingRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.OnboardingStarted:
        """Onboard a company.

        Send the user to `url`: there the company’s representatives identify themselves, accept the
        terms and sign. They can leave and return with the same url.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.START_ONBOARDING,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_onboarding_status(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.Onboarding:
        """Get an onboarding.

        The status of one onboarding.

        Args:
        id: The onboarding.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_ONBOARDING_STATUS,
            Arguments(
                path={
                    "id": id,
                },
                timeout=timeout,
            ),
        )

    async def cancel_onboarding(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Onboarding:
        """Cancel the onboarding.

        An onboarding that has already ended is unchanged; an accepted one cannot be cancelled: 409.

        Args:
        id: The onboarding.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.CANCEL_ONBOARDING,
            Arguments(
                path={
                    "id": id,
                },
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def register_company(
        self,
        body: models.RegistrationRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Registration:
        """Register a company for account information.

        Without onboarding, by prior agreement only: the company gives account information and
        cannot pay. It may be onboarded later.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.REGISTER_COMPANY,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_consent(
        self,
        *,
        consent_id: str,
        timeout: float | None = None,
    ) -> models.Consent:
        """Get a consent.

        Returns the consent of the `consent-id` header, in any status.

        Args:
        consent_id: The consent of the request.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_CONSENT,
            Arguments(
                consent_id=consent_id,
                timeout=timeout,
            ),
        )

    async def create_consent(
        self,
        body: models.ConsentRequest,
        *,
        psu: PsuSession,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ConsentCreated:
        """Create a consent.

        Send the user to `sca.url`. Once accepted, send the id as `consent-id` in other operations.

        Args:
        body: The body of the request.
        psu: The user's present session.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.CREATE_CONSENT,
            Arguments(
                body=body,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def revoke_consent(
        self,
        *,
        consent_id: str,
        psu: PsuSession,
        timeout: float | None = None,
    ) -> None:
        """Revoke a consent.

        Revokes the consent here at once, and at the bank as soon as it can be reached. Payments
        that were signed under it are still tracked.

        Args:
        consent_id: The consent of the request.
        psu: The user's present session.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.REVOKE_CONSENT,
            Arguments(
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def list_consents(
        self,
        *,
        organization_number: str | None = None,
        expiring_before: date | AwareDatetime | None = None,
        timeout: float | None = None,
    ) -> list[models.Consent]:
        """List consents.

        The consents of the partner, optionally of one company, or those that expire before a time.

        Args:
        organization_number: Consents of this company.
        expiring_before: Valid consents with validUntil before this time.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_CONSENTS,
            Arguments(
                query={
                    "organizationNumber": organization_number,
                    "expiringBefore": expiring_before,
                },
                timeout=timeout,
            ),
        )

    async def list_accounts(
        self,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> models.AccountList:
        """List the accounts on a consent.

        Without the PSU headers the user counts as absent: then four reads a day are allowed, by the
        calendar day of the bank, for each consent and account, unless agreed otherwise. Further
        reads return 429 with `Retry-After`. With the PSU headers of a user who is present there is
        no such limit.

        Args:
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_ACCOUNTS,
            Arguments(
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def get_account_balance(
        self,
        account_id: str,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> models.AccountBalance:
        """Get an account's balance.

        Without the PSU headers the user counts as absent: then four reads a day are allowed, by the
        calendar day of the bank, for each consent and account, unless agreed otherwise. Further
        reads return 429 with `Retry-After`. With the PSU headers of a user who is present there is
        no such limit.

        Args:
        account_id: The id from the list of accounts.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_ACCOUNT_BALANCE,
            Arguments(
                path={
                    "accountId": account_id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def list_account_entries(
        self,
        account_id: str,
        *,
        from_date: date,
        to_date: date,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> models.AccountEntryList:
        """List the entries on an account.

        The response is streamed while the bank is read. If the bank fails or the consent ends
        meanwhile, the connection is aborted, so that an incomplete response cannot be mistaken for
        a complete one. Four lists may be read concurrently. Without the PSU headers the user counts
        as absent, and banks allow only a few reads a day.

        Args:
        account_id: The id from the list of accounts; it may differ for every consent.
        from_date: The first day, in the bank's time zone.
        to_date: The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the
                first.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_ACCOUNT_ENTRIES,
            Arguments(
                path={
                    "accountId": account_id,
                },
                query={
                    "fromDate": from_date,
                    "toDate": to_date,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def download_account_entries(
        self,
        account_id: str,
        *,
        media_type: Literal["application/xml", "text/csv"],
        from_date: date,
        to_date: date,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """List the entries on an account, in another format than JSON.

        The response is streamed while the bank is read. If the bank fails or the consent ends
        meanwhile, the connection is aborted, so that an incomplete response cannot be mistaken for
        a complete one. Four lists may be read concurrently. Without the PSU headers the user counts
        as absent, and banks allow only a few reads a day.

        Args:
        account_id: The id from the list of accounts; it may differ for every consent.
        media_type: The format.
        from_date: The first day, in the bank's time zone.
        to_date: The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the
                first.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._download(
            operations.LIST_ACCOUNT_ENTRIES,
            Arguments(
                path={
                    "accountId": account_id,
                },
                query={
                    "fromDate": from_date,
                    "toDate": to_date,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
            media_type,
        )

    def iterate_account_entries(
        self,
        account_id: str,
        *,
        from_date: date,
        to_date: date,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.AccountEntry]:
        """List the entries on an account: yields one after the other.

        The response is streamed while the bank is read. If the bank fails or the consent ends
        meanwhile, the connection is aborted, so that an incomplete response cannot be mistaken for
        a complete one. Four lists may be read concurrently. Without the PSU headers the user counts
        as absent, and banks allow only a few reads a day.

        Args:
        account_id: The id from the list of accounts; it may differ for every consent.
        from_date: The first day, in the bank's time zone.
        to_date: The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the
                first.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return self._iterate(
            operations.LIST_ACCOUNT_ENTRIES,
            Arguments(
                path={
                    "accountId": account_id,
                },
                query={
                    "fromDate": from_date,
                    "toDate": to_date,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
            "accountEntries",
            models.AccountEntry,
        )

    async def list_extended_account_entries(
        self,
        account_id: str,
        *,
        from_date: date,
        to_date: date,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> models.AccountEntryList:
        """List the entries on an account with details.

        The latest entries are enriched with the details that the bank gives for single entries, up
        to a maximum number and time; `enriched` says which. The response is streamed while the bank
        is read. If the bank fails or the consent ends meanwhile, the connection is aborted, so that
        an incomplete response cannot be mistaken for a complete one. Four lists may be read
        concurrently. Without the PSU headers the user counts as absent, and banks allow only a few
        reads a day.

        Args:
        account_id: The id from the list of accounts; it may differ for every consent.
        from_date: The first day, in the bank's time zone.
        to_date: The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the
                first.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_EXTENDED_ACCOUNT_ENTRIES,
            Arguments(
                path={
                    "accountId": account_id,
                },
                query={
                    "fromDate": from_date,
                    "toDate": to_date,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def download_extended_account_entries(
        self,
        account_id: str,
        *,
        media_type: Literal["application/xml", "text/csv"],
        from_date: date,
        to_date: date,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """List the entries on an account with details, in another format than JSON.

        The latest entries are enriched with the details that the bank gives for single entries, up
        to a maximum number and time; `enriched` says which. The response is streamed while the bank
        is read. If the bank fails or the consent ends meanwhile, the connection is aborted, so that
        an incomplete response cannot be mistaken for a complete one. Four lists may be read
        concurrently. Without the PSU headers the user counts as absent, and banks allow only a few
        reads a day.

        Args:
        account_id: The id from the list of accounts; it may differ for every consent.
        media_type: The format.
        from_date: The first day, in the bank's time zone.
        to_date: The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the
                first.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._download(
            operations.LIST_EXTENDED_ACCOUNT_ENTRIES,
            Arguments(
                path={
                    "accountId": account_id,
                },
                query={
                    "fromDate": from_date,
                    "toDate": to_date,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
            media_type,
        )

    def iterate_extended_account_entries(
        self,
        account_id: str,
        *,
        from_date: date,
        to_date: date,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.AccountEntry]:
        """List the entries on an account with details: yields one after the other.

        The latest entries are enriched with the details that the bank gives for single entries, up
        to a maximum number and time; `enriched` says which. The response is streamed while the bank
        is read. If the bank fails or the consent ends meanwhile, the connection is aborted, so that
        an incomplete response cannot be mistaken for a complete one. Four lists may be read
        concurrently. Without the PSU headers the user counts as absent, and banks allow only a few
        reads a day.

        Args:
        account_id: The id from the list of accounts; it may differ for every consent.
        from_date: The first day, in the bank's time zone.
        to_date: The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the
                first.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return self._iterate(
            operations.LIST_EXTENDED_ACCOUNT_ENTRIES,
            Arguments(
                path={
                    "accountId": account_id,
                },
                query={
                    "fromDate": from_date,
                    "toDate": to_date,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
            "accountEntries",
            models.AccountEntry,
        )

    async def get_account_entry_details(
        self,
        account_id: str,
        transaction_id: str,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> models.AccountEntryDetails:
        """Get the details of an entry.

        Not every bank offers them; the others return `UNSUPPORTED_PRODUCT_BY_BANK`.

        Args:
        account_id: The id from the list of accounts; it may differ for every consent.
        transaction_id: The bank's id of the entry.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_ACCOUNT_ENTRY_DETAILS,
            Arguments(
                path={
                    "accountId": account_id,
                    "transactionId": transaction_id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def list_payments(
        self,
        *,
        end_to_end_id: str | None = None,
        status: models.PaymentStatusValue | None = None,
        from_date: date | None = None,
        to_date: date | None = None,
        updated_since: date | AwareDatetime | None = None,
        organization_number: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.PaymentPage:
        """List payments.

        Use it to find an order whose response was lost, and for a nightly synchronisation. Payments
        are sorted by creation; with `updatedSince`, by their last change. Follow `nextCursor` with
        the same filters until it is null: every payment that matches throughout is returned exactly
        once, one that is created meanwhile at most once, and with `updatedSince` one that changes
        meanwhile is returned again. For a synchronisation, set `updatedSince` to one minute before
        the start of the previous one, so that no change that was being written then is missed.

        Args:
        end_to_end_id: Payments with this endToEndId.
        status: Unsigned: the user must approve. InProgress: the bank processes it. Completed: the
                bank has completed it. Rejected: the bank has rejected it. Cancelled: it was
                cancelled. CustomerActionRequired: see the reason.
        from_date: Payments ordered on this day or later, in UTC.
        to_date: Payments ordered on this day or earlier, in UTC.
        updated_since: Payments that changed at this time or later.
        organization_number: Payments of the company with this organisation number, in any format
                used in its country.
        cursor: The nextCursor of the previous page; the other filters must be the same.
        limit: The maximum number of payments on the page.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_PAYMENTS,
            Arguments(
                query={
                    "endToEndId": end_to_end_id,
                    "status": status,
                    "fromDate": from_date,
                    "toDate": to_date,
                    "updatedSince": updated_since,
                    "organizationNumber": organization_number,
                    "cursor": cursor,
                    "limit": limit,
                },
                timeout=timeout,
            ),
        )

    def iterate_payments(
        self,
        *,
        end_to_end_id: str | None = None,
        status: models.PaymentStatusValue | None = None,
        from_date: date | None = None,
        to_date: date | None = None,
        updated_since: date | AwareDatetime | None = None,
        organization_number: str | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.PaymentSummary]:
        """List payments: yields one after the other.

        Use it to find an order whose response was lost, and for a nightly synchronisation. Payments
        are sorted by creation; with `updatedSince`, by their last change. Follow `nextCursor` with
        the same filters until it is null: every payment that matches throughout is returned exactly
        once, one that is created meanwhile at most once, and with `updatedSince` one that changes
        meanwhile is returned again. For a synchronisation, set `updatedSince` to one minute before
        the start of the previous one, so that no change that was being written then is missed.

        Args:
        end_to_end_id: Payments with this endToEndId.
        status: Unsigned: the user must approve. InProgress: the bank processes it. Completed: the
                bank has completed it. Rejected: the bank has rejected it. Cancelled: it was
                cancelled. CustomerActionRequired: see the reason.
        from_date: Payments ordered on this day or later, in UTC.
        to_date: Payments ordered on this day or earlier, in UTC.
        updated_since: Payments that changed at this time or later.
        organization_number: Payments of the company with this organisation number, in any format
                used in its country.
        page_size: The number of items that one request reads.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return iterate_pages_async(
            lambda position: self.list_payments(
                end_to_end_id=end_to_end_id,
                status=status,
                from_date=from_date,
                to_date=to_date,
                updated_since=updated_since,
                organization_number=organization_number,
                timeout=timeout,
                cursor=position,
                limit=page_size,
            ),
            lambda page: page.payments,
        )

    async def initiate_domestic_payment(
        self,
        body: models.DomesticPayment,
        *,
        consent_id: str,
        psu: PsuSession,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PaymentInitiated:
        """Initiate a domestic payment.

        Submits the order to the debtor's bank; the status is usually Unsigned, and the user must
        approve it. A 503 with a paymentId means that the outcome at the bank is unknown: do not
        send it again, get that payment. Needs a bank with the product PAYMENT_DOMESTIC.

        Args:
        body: The body of the request.
        consent_id: The consent of the request.
        psu: The user's present session.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.INITIATE_DOMESTIC_PAYMENT,
            Arguments(
                body=body,
                consent_id=consent_id,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def initiate_cross_border_payment(
        self,
        body: models.CrossBorderPayment,
        *,
        consent_id: str,
        psu: PsuSession,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CrossBorderInitiated:
        """Initiate a cross-border payment.

        For payments to another country, or from or to an account in a foreign currency. In the
        currency of the debtor account the bank executes it as a cross-border payment, which needs
        the product PAYMENT_CROSS_BORDER. In another currency the amount is exchanged: a quote is
        booked, and the user signs, before `quoteExpiryTime`, a domestic payment of `costAmount` to
        the intermediary account; unsigned by then it is cancelled. A 503 with a paymentId means
        that the outcome at the bank is unknown: do not send it again, get that payment.

        Args:
        body: The body of the request.
        consent_id: The consent of the request.
        psu: The user's present session.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.INITIATE_CROSS_BORDER_PAYMENT,
            Arguments(
                body=body,
                consent_id=consent_id,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_payment(
        self,
        payment_id: str,
        *,
        timeout: float | None = None,
    ) -> models.Payment:
        """Get a payment.

        The payment as ordered, with the history of its statuses.

        Args:
        payment_id: The id of the payment.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_PAYMENT,
            Arguments(
                path={
                    "paymentId": payment_id,
                },
                timeout=timeout,
            ),
        )

    async def get_payment_status(
        self,
        payment_id: str,
        *,
        timeout: float | None = None,
    ) -> models.PaymentStatusResponse:
        """Get a payment's status.

        Polls the bank if the stored status is older than the bank’s poll interval.

        Args:
        payment_id: The id of the payment.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_PAYMENT_STATUS,
            Arguments(
                path={
                    "paymentId": payment_id,
                },
                timeout=timeout,
            ),
        )

    async def validate_remittance(
        self,
        body: models.RemittanceValidationRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RemittanceValidation:
        """Validate a reference.

        Validates a reference by the rules of the receiver's country, without asking a bank. Whether
        a receiver requires a reference, or a certain length, only the bank knows: a payment without
        it is rejected with INVALID_OCR.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.VALIDATE_REMITTANCE,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def quote_exchange(
        self,
        body: models.ExchangeOrder,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ExchangeQuote:
        """Create a quote.

        Holds a price for a payment in another currency: two minutes when it is due today, otherwise
        five, and never longer than the provider holds its rate. Book it by a cross-border payment
        with the quoteId, or by a domestic payment of `costAmount` to the intermediary account with
        the referenceCode in its message. A quote that is not booked costs nothing.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.QUOTE_EXCHANGE,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def validate_exchange(
        self,
        body: models.ExchangeOrder,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ExchangeValidation:
        """Validate an exchange.

        Validates an order like a request for a quote, including the provider’s own rules, without
        holding a price. If the payment is due now and a consent covers the account, the balance is
        checked too: that counts as a read without the user, and is skipped when no such reads are
        left for the day.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.VALIDATE_EXCHANGE,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def list_currencies(
        self,
        *,
        timeout: float | None = None,
    ) -> list[models.Currency]:
        """List the currencies.

        The currencies of payments with exchange, with their limits.

        Args:
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_CURRENCIES,
            Arguments(
                timeout=timeout,
            ),
        )

    async def get_exchange_calendar(
        self,
        *,
        from_: date | None = None,
        to: date | None = None,
        country: str | None = None,
        currency: str | None = None,
        timeout: float | None = None,
    ) -> models.ExchangeCalendar:
        """Get the exchange calendar.

        The opening hours and possible due dates of payments with exchange.

        Args:
        from_: The first day of the range; today by default.
        to: The last day of the range; 30 days later by default, at most a year later.
        country: The country of the debtor account; NO by default.
        currency: The payout currency, to apply its limits too.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_EXCHANGE_CALENDAR,
            Arguments(
                query={
                    "from": from_,
                    "to": to,
                    "country": country,
                    "currency": currency,
                },
                timeout=timeout,
            ),
        )

    async def approve_payments(
        self,
        body: models.ApprovalRequest,
        *,
        consent_id: str,
        psu: PsuSession,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Approval:
        """Start the approval of payments.

        Acts for the user of the `consent-id`, who may be another than the creator of the payments.
        Send the user to `sca.url`; the browser returns to callbackUrl with `status`, the outcome
        confirmed by the bank. A user who closed the tab can open the same URL again in the same
        browser and continue at the bank. While the user is at the bank, another approval of the
        same payments is rejected with `AUTHENTICATION_TEMPORARY_UNAVAILABLE`; `DELETE
        /api/v2/payments/approve/{approvalId}` abandons the open one.

        Args:
        body: The body of the request.
        consent_id: The consent of the request.
        psu: The user's present session.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.APPROVE_PAYMENTS,
            Arguments(
                body=body,
                consent_id=consent_id,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_payment_approval(
        self,
        approval_id: str,
        *,
        consent_id: str,
        psu: PsuSession,
        timeout: float | None = None,
    ) -> models.Approval:
        """Get an approval.

        With the QR method the response has the current code; poll it every second.

        Args:
        approval_id: The id returned when the approval was started.
        consent_id: The consent of the request.
        psu: The user's present session.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_PAYMENT_APPROVAL,
            Arguments(
                path={
                    "approvalId": approval_id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def abandon_payment_approval(
        self,
        approval_id: str,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> None:
        """Abandon an approval.

        Ends an approval that the user left unfinished, for example by closing the tab. Asks the
        bank first. 204: nothing was signed; the orders can be approved or cancelled again at once.
        409: some orders were signed and stay signed; the rest is abandoned, and the message lists
        the signed ones. 503: the bank does not report whether it was signed; nothing is abandoned,
        and the user can continue with the same link. A user who is still at the bank may sign after
        the 204, until the bank ends that session: check the status. Repeating the request is safe.

        Args:
        approval_id: The id returned when the approval was started.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ABANDON_PAYMENT_APPROVAL,
            Arguments(
                path={
                    "approvalId": approval_id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def cancel_payment(
        self,
        body: models.CancellationRequest,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Cancellation:
        """Cancel a payment.

        Acts for the user of the `consent-id`, who may be another than the creator of the payment,
        but must be one whom the bank has let pay from the account; otherwise `ACCESS_DENIED`. An
        approval whose user is not at the bank yet is ended first. Some banks require the user to
        sign the cancellation: then send the user to `sca.url`. A repeated request while it is open
        returns the same cancellation.

        Args:
        body: The body of the request.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.CANCEL_PAYMENT,
            Arguments(
                body=body,
                consent_id=consent_id,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_payment_cancellation(
        self,
        id: str,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> models.Cancellation:
        """Get a cancellation.

        With the QR method the response has the current code; poll it every second.

        Args:
        id: The id of the cancellation.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_PAYMENT_CANCELLATION,
            Arguments(
                path={
                    "id": id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def abandon_payment_cancellation(
        self,
        id: str,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> None:
        """Abandon a cancellation that is not signed yet.

        Ends a cancellation in `AUTHORIZATION_REQUIRED` that the user left unfinished: it becomes
        `REJECTED`, and the payment is unchanged. Asks the bank first. 204: nothing was signed; the
        orders can be approved or cancelled again at once. 409: some orders were signed and stay
        signed; the rest is abandoned, and the message lists the signed ones. 503: the bank does not
        report whether it was signed; nothing is abandoned, and the user can continue with the same
        link. A user who is still at the bank may sign after the 204, until the bank ends that
        session: check the status. Repeating the request is safe.

        Args:
        id: The id of the cancellation.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ABANDON_PAYMENT_CANCELLATION,
            Arguments(
                path={
                    "id": id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def list_payrolls(
        self,
        *,
        end_to_end_id: str | None = None,
        status: models.PaymentStatusValue | None = None,
        from_date: date | None = None,
        to_date: date | None = None,
        updated_since: date | AwareDatetime | None = None,
        organization_number: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.PayrollPage:
        """List payrolls.

        Use it to find an order whose response was lost, and for a nightly synchronisation, like the
        list of payments. `status` filters by the status of the payroll.

        Args:
        end_to_end_id: Payrolls with a transaction of this endToEndId.
        status: Unsigned: the user must approve. InProgress: the bank processes it. Completed: the
                bank has completed it. Rejected: the bank has rejected it. Cancelled: it was
                cancelled. CustomerActionRequired: see the reason.
        from_date: Payrolls ordered on this day or later, in UTC.
        to_date: Payrolls ordered on this day or earlier, in UTC.
        updated_since: Payrolls that changed at this time or later.
        organization_number: Payrolls of the company with this organisation number, in any format
                used in its country.
        cursor: The nextCursor of the previous page; the other filters must be the same.
        limit: The maximum number of payrolls on the page.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_PAYROLLS,
            Arguments(
                query={
                    "endToEndId": end_to_end_id,
                    "status": status,
                    "fromDate": from_date,
                    "toDate": to_date,
                    "updatedSince": updated_since,
                    "organizationNumber": organization_number,
                    "cursor": cursor,
                    "limit": limit,
                },
                timeout=timeout,
            ),
        )

    def iterate_payrolls(
        self,
        *,
        end_to_end_id: str | None = None,
        status: models.PaymentStatusValue | None = None,
        from_date: date | None = None,
        to_date: date | None = None,
        updated_since: date | AwareDatetime | None = None,
        organization_number: str | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.PayrollSummary]:
        """List payrolls: yields one after the other.

        Use it to find an order whose response was lost, and for a nightly synchronisation, like the
        list of payments. `status` filters by the status of the payroll.

        Args:
        end_to_end_id: Payrolls with a transaction of this endToEndId.
        status: Unsigned: the user must approve. InProgress: the bank processes it. Completed: the
                bank has completed it. Rejected: the bank has rejected it. Cancelled: it was
                cancelled. CustomerActionRequired: see the reason.
        from_date: Payrolls ordered on this day or later, in UTC.
        to_date: Payrolls ordered on this day or earlier, in UTC.
        updated_since: Payrolls that changed at this time or later.
        organization_number: Payrolls of the company with this organisation number, in any format
                used in its country.
        page_size: The number of items that one request reads.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return iterate_pages_async(
            lambda position: self.list_payrolls(
                end_to_end_id=end_to_end_id,
                status=status,
                from_date=from_date,
                to_date=to_date,
                updated_since=updated_since,
                organization_number=organization_number,
                timeout=timeout,
                cursor=position,
                limit=page_size,
            ),
            lambda page: page.payrolls,
        )

    async def initiate_payroll(
        self,
        body: models.PayrollRequest,
        *,
        consent_id: str,
        psu: PsuSession,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PayrollInitiated:
        """Order a payroll.

        Submits the transactions to the debtor's bank; the user must approve them. They are one
        order if the bank accepts payrolls, and otherwise single orders after the response. A 503
        with a payrollId means that the outcome at the bank is unknown: do not send it again, get
        that payroll. The first 1 000 errors are listed; if there are more, a last one with the path
        `.` and the code InvalidRequest gives their number. No reason repeats a value of a
        transaction. Bodies may have 10 MB. Needs a bank with the product PAYROLL, and credentials
        that may order payrolls (403).

        Args:
        body: The body of the request.
        consent_id: The consent of the request.
        psu: The user's present session.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.INITIATE_PAYROLL,
            Arguments(
                body=body,
                consent_id=consent_id,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def initiate_payroll_bulk(
        self,
        body: models.PayrollBulkRequest,
        *,
        consent_id: str,
        psu: PsuSession,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PayrollBulkInitiated:
        """Order several payrolls at once.

        Orders every payroll and starts one approval of all of them: send the user to
        `sca.redirect.url`. The first 1 000 errors are listed; if there are more, a last one with
        the path `.` and the code InvalidRequest gives their number. No reason repeats a value of a
        transaction. Needs a bank with the product PAYROLL_BULK and an agreement with us; without
        one it is as at a bank without the product.

        Args:
        body: The body of the request.
        consent_id: The consent of the request.
        psu: The user's present session.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.INITIATE_PAYROLL_BULK,
            Arguments(
                body=body,
                consent_id=consent_id,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_payroll_status(
        self,
        payroll_id: str,
        *,
        timeout: float | None = None,
    ) -> models.PayrollStatus:
        """Get a payroll's status.

        Returns the status of each transaction; polls the bank if the stored status is older than
        its poll interval. If the consent of the payroll is no longer valid, it returns 400
        `INVALID_CONSENT`.

        Args:
        payroll_id: The id of the payroll.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_PAYROLL_STATUS,
            Arguments(
                path={
                    "payrollId": payroll_id,
                },
                timeout=timeout,
            ),
        )

    async def approve_payrolls(
        self,
        body: models.PayrollApprovalRequest,
        *,
        consent_id: str,
        psu: PsuSession,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PayrollApproval:
        """Start the approval of payrolls.

        Acts for the user of the `consent-id`, who may be another than the orderer. Send the user to
        `sca.url`; a page there shows a code or waits for an app if the bank uses one. Right after
        ordering it waits, up to 20 seconds, until the bank has received every transaction. If that
        takes longer it returns `AUTHENTICATION_TEMPORARY_UNAVAILABLE` with `Retry-After`: ask
        again.

        Args:
        body: The body of the request.
        consent_id: The consent of the request.
        psu: The user's present session.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.APPROVE_PAYROLLS,
            Arguments(
                body=body,
                consent_id=consent_id,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_payroll_approval(
        self,
        approval_id: str,
        *,
        consent_id: str,
        psu: PsuSession,
        timeout: float | None = None,
    ) -> models.PayrollApproval:
        """Get an approval of payrolls.

        The status of an approval of payrolls, and how the user signs it.

        Args:
        approval_id: The id of the approval, or of the bulk.
        consent_id: The consent of the request.
        psu: The user's present session.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_PAYROLL_APPROVAL,
            Arguments(
                path={
                    "approvalId": approval_id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def abandon_payroll_approval(
        self,
        approval_id: str,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> None:
        """Abandon an approval of payrolls.

        Ends an approval that the user left unfinished, for example by closing the tab. Asks the
        bank first. 204: nothing was signed; the orders can be approved or cancelled again at once.
        409: some orders were signed and stay signed; the rest is abandoned, and the message lists
        the signed ones. 503: the bank does not report whether it was signed; nothing is abandoned,
        and the user can continue with the same link. A user who is still at the bank may sign after
        the 204, until the bank ends that session: check the status. Repeating the request is safe.

        Args:
        approval_id: The id of the approval, or of the bulk.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ABANDON_PAYROLL_APPROVAL,
            Arguments(
                path={
                    "approvalId": approval_id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def cancel_payroll(
        self,
        body: models.PayrollCancellationRequest,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PayrollCancellation:
        """Cancel a payroll.

        Acts for the user of the `consent-id`, who may be another than the orderer, but must be one
        whom the bank has let pay from the account; otherwise `ACCESS_DENIED`. An approval whose
        user is not at the bank yet is ended first. Some banks require the user to sign the
        cancellation: send the user to `sca.url` then. A repeated request while it is open returns
        the same cancellation. A payroll that the bank has as many orders can take longer than 20
        seconds: then the answer is 202 with `progress`, the orders are cancelled further, and `GET
        /api/v2/payroll/cancel/{id}` shows how it ends.

        Args:
        body: The body of the request.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.CANCEL_PAYROLL,
            Arguments(
                body=body,
                consent_id=consent_id,
                psu=psu,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_payroll_cancellation(
        self,
        id: str,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> models.PayrollCancellation:
        """Get a cancellation of a payroll.

        The status of the cancellation of a payroll, and how the user signs it where that is needed.

        Args:
        id: The id of the cancellation.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_PAYROLL_CANCELLATION,
            Arguments(
                path={
                    "id": id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def abandon_payroll_cancellation(
        self,
        id: str,
        *,
        consent_id: str,
        psu: PsuSession | None = None,
        timeout: float | None = None,
    ) -> None:
        """Abandon a cancellation of a payroll that is not signed yet.

        Ends a cancellation in `AUTHORIZATION_REQUIRED` that the user left unfinished: what is not
        cancelled by then is unchanged. Asks the bank first. 204: nothing was signed; the orders can
        be approved or cancelled again at once. 409: some orders were signed and stay signed; the
        rest is abandoned, and the message lists the signed ones. 503: the bank does not report
        whether it was signed; nothing is abandoned, and the user can continue with the same link. A
        user who is still at the bank may sign after the 204, until the bank ends that session:
        check the status. Repeating the request is safe.

        Args:
        id: The id of the cancellation.
        consent_id: The consent of the request.
        psu: The user's present session; absent when the user is not there.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ABANDON_PAYROLL_CANCELLATION,
            Arguments(
                path={
                    "id": id,
                },
                consent_id=consent_id,
                psu=psu,
                timeout=timeout,
            ),
        )

    async def list_webhook_subscriptions(
        self,
        *,
        timeout: float | None = None,
    ) -> list[models.WebhookSubscription]:
        """List subscriptions.

        Enabled ones first, then disabled ones, each newest first; 500 at most.

        Args:
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_WEBHOOK_SUBSCRIPTIONS,
            Arguments(
                timeout=timeout,
            ),
        )

    async def create_webhook_subscription(
        self,
        body: models.WebhookSubscriptionRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookSubscriptionWithSecret:
        """Subscribe to events.

        Enabled at once; earlier events are not delivered. Store the signing secret: it is not
        returned again. Only the format of the URL is validated, not whether the endpoint responds.
        `warnings` names another subscription that delivers to the same URL.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.CREATE_WEBHOOK_SUBSCRIPTION,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def get_webhook_subscription(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.WebhookSubscription:
        """Get a subscription.

        The subscription, without its secrets.

        Args:
        id: The subscription.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_WEBHOOK_SUBSCRIPTION,
            Arguments(
                path={
                    "id": id,
                },
                timeout=timeout,
            ),
        )

    async def update_webhook_subscription(
        self,
        id: str,
        body: models.WebhookSubscriptionRequest,
        *,
        timeout: float | None = None,
    ) -> models.UpdatedWebhookSubscription:
        """Update a subscription.

        Send both fields; each replaces the old value. Bearer token and signing secret stay; queued
        deliveries still go to the former URL. A disabled subscription stays disabled.

        Args:
        id: The subscription.
        body: The body of the request.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.UPDATE_WEBHOOK_SUBSCRIPTION,
            Arguments(
                path={
                    "id": id,
                },
                body=body,
                timeout=timeout,
            ),
        )

    async def disable_webhook_subscription(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookSubscription:
        """Disable a subscription.

        Cannot be undone. Queued deliveries are still sent; repeating it changes nothing.

        Args:
        id: The subscription.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.DISABLE_WEBHOOK_SUBSCRIPTION,
            Arguments(
                path={
                    "id": id,
                },
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def pause_webhook_subscription(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookSubscription:
        """Pause a subscription.

        New events wait until it is resumed, for 30 days at most. Queued deliveries are still sent;
        repeating it changes nothing. Returns 404 for a disabled subscription.

        Args:
        id: The subscription.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.PAUSE_WEBHOOK_SUBSCRIPTION,
            Arguments(
                path={
                    "id": id,
                },
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def resume_webhook_subscription(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookSubscription:
        """Resume a subscription.

        Queues every event that it selects and that has occurred since it was paused, in their
        order; later ones follow them. Repeating it changes nothing. Returns 404 for a disabled
        subscription.

        Args:
        id: The subscription.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.RESUME_WEBHOOK_SUBSCRIPTION,
            Arguments(
                path={
                    "id": id,
                },
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def rotate_webhook_bearer_token(
        self,
        id: str,
        body: models.WebhookBearerToken,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookSubscription:
        """Set or replace the bearer token.

        Deliveries queued from now on carry it. It cannot be removed.

        Args:
        id: The subscription.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ROTATE_WEBHOOK_BEARER_TOKEN,
            Arguments(
                path={
                    "id": id,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def rotate_webhook_signing_secret(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookSubscriptionWithSecret:
        """Rotate the signing secret.

        Deliveries queued from now on are signed with it; those queued before, retries included,
        with the old.

        Args:
        id: The subscription.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ROTATE_WEBHOOK_SIGNING_SECRET,
            Arguments(
                path={
                    "id": id,
                },
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def test_webhook_subscription(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookTestResult:
        """Send a test delivery.

        Sends `webhook.test` within the request, independent of the event types. Returns 200 also if
        it fails; if possible it is retried. Returns 429 while other tests are in flight, and after
        30 in a minute.

        Args:
        id: The subscription.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.TEST_WEBHOOK_SUBSCRIPTION,
            Arguments(
                path={
                    "id": id,
                },
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def replay_webhook_events(
        self,
        id: str,
        body: models.WebhookReplayRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookReplayResult:
        """Deliver past events again.

        Queues a new delivery of every event of a time window that the subscription selects now,
        also of events from before it was created; events are retained for 30 days. Receivers see
        each event under its own id. Returns 404 for a disabled subscription.

        Args:
        id: The subscription.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.REPLAY_WEBHOOK_EVENTS,
            Arguments(
                path={
                    "id": id,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def list_webhook_deliveries(
        self,
        id: str,
        *,
        status: models.WebhookDeliveryStatus | None = None,
        event_type: models.WebhookDeliveredEventType | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.WebhookDeliveryPage:
        """List deliveries.

        Newest first; retained for 30 days.

        Args:
        id: The subscription.
        status: Queued: waits for its first or next attempt. Delivered: answered 2xx. Failed: all
                attempts failed. Refused: the URL leads to a forbidden address; nothing was sent.
        event_type: Deliveries of this event type.
        cursor: `nextCursor` of the previous page.
        limit: The page size.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_WEBHOOK_DELIVERIES,
            Arguments(
                path={
                    "id": id,
                },
                query={
                    "status": status,
                    "eventType": event_type,
                    "cursor": cursor,
                    "limit": limit,
                },
                timeout=timeout,
            ),
        )

    def iterate_webhook_deliveries(
        self,
        id: str,
        *,
        status: models.WebhookDeliveryStatus | None = None,
        event_type: models.WebhookDeliveredEventType | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.WebhookDeliverySummary]:
        """List deliveries: yields one after the other.

        Newest first; retained for 30 days.

        Args:
        id: The subscription.
        status: Queued: waits for its first or next attempt. Delivered: answered 2xx. Failed: all
                attempts failed. Refused: the URL leads to a forbidden address; nothing was sent.
        event_type: Deliveries of this event type.
        page_size: The number of items that one request reads.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return iterate_pages_async(
            lambda position: self.list_webhook_deliveries(
                id,
                status=status,
                event_type=event_type,
                timeout=timeout,
                cursor=position,
                limit=page_size,
            ),
            lambda page: page.deliveries,
        )

    async def get_webhook_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        timeout: float | None = None,
    ) -> models.WebhookDelivery:
        """Get a delivery.

        The delivery with its body and its attempts.

        Args:
        id: The subscription.
        delivery_id: The delivery.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_WEBHOOK_DELIVERY,
            Arguments(
                path={
                    "id": id,
                    "deliveryId": delivery_id,
                },
                timeout=timeout,
            ),
        )

    async def retry_webhook_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.WebhookDelivery:
        """Deliver again.

        Queues a new delivery of the same event, to the present URL of the subscription, with its
        present secret and token. The original delivery is unchanged. Returns 409 while it is still
        queued, while an earlier retry is queued, and when the subscription is disabled.

        Args:
        id: The subscription.
        delivery_id: The delivery.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.RETRY_WEBHOOK_DELIVERY,
            Arguments(
                path={
                    "id": id,
                    "deliveryId": delivery_id,
                },
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def list_webhook_events(
        self,
        *,
        after: str | None = None,
        family: models.ListWebhookEventsFamily | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.WebhookEventPage:
        """Read events.

        The events of the partner in the order of recording; those about payments are there without
        a subscription. Send `nextAfter` as `after` to continue; no event is skipped. Events are
        retained for 30 days: from an older position the list continues with the oldest event, and
        `missed` is true.

        Args:
        after: `nextAfter` of the previous page; the beginning by default.
        family: Events of this family only, or of all with ALL; PAYMENT_STATUS by default. Events of
                the other families are recorded while a subscription selects them.
        limit: The page size.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_WEBHOOK_EVENTS,
            Arguments(
                query={
                    "after": after,
                    "family": family,
                    "limit": limit,
                },
                timeout=timeout,
            ),
        )

    def iterate_webhook_events(
        self,
        *,
        after: str | None = None,
        family: models.ListWebhookEventsFamily | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.WebhookEvent]:
        """Read events: yields one after the other.

        The events of the partner in the order of recording; those about payments are there without
        a subscription. Send `nextAfter` as `after` to continue; no event is skipped. Events are
        retained for 30 days: from an older position the list continues with the oldest event, and
        `missed` is true.

        Args:
        after: `nextAfter` of the previous page; the beginning by default.
        family: Events of this family only, or of all with ALL; PAYMENT_STATUS by default. Events of
                the other families are recorded while a subscription selects them.
        page_size: The number of items that one request reads.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return iterate_positions_async(
            lambda position: self.list_webhook_events(
                family=family,
                timeout=timeout,
                after=position,
                limit=page_size,
            ),
            lambda page: page.events,
            after,
        )

    async def list_requests(
        self,
        *,
        method: models.ListRequestsMethod | None = None,
        status: models.ListRequestsStatus | None = None,
        path: str | None = None,
        error_code: str | None = None,
        from_: AwareDatetime | None = None,
        before: AwareDatetime | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> models.RequestPage:
        """List requests.

        The requests of the partner of the last 30 days, newest first; a large log loses its oldest
        ones before. Those of payrolls are listed if the credentials may order payrolls. A request
        appears within a second of its response. Reading the log, and operations of the sandbox, are
        not logged. A page may have fewer requests than `limit`, or none, although `nextCursor` is
        there: a rare filter is searched in steps.

        Args:
        method: The HTTP method.
        status: Requests with these statuses; errors are 4xx and 5xx.
        path: Requests whose path begins with it.
        error_code: Requests that were rejected with this code.
        from_: Requests received at this time or later.
        before: Requests received before this time.
        cursor: `nextCursor` of the previous page.
        limit: The page size.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_REQUESTS,
            Arguments(
                query={
                    "method": method,
                    "status": status,
                    "path": path,
                    "errorCode": error_code,
                    "from": from_,
                    "before": before,
                    "cursor": cursor,
                    "limit": limit,
                },
                timeout=timeout,
            ),
        )

    def iterate_requests(
        self,
        *,
        method: models.ListRequestsMethod | None = None,
        status: models.ListRequestsStatus | None = None,
        path: str | None = None,
        error_code: str | None = None,
        from_: AwareDatetime | None = None,
        before: AwareDatetime | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[models.LoggedRequestSummary]:
        """List requests: yields one after the other.

        The requests of the partner of the last 30 days, newest first; a large log loses its oldest
        ones before. Those of payrolls are listed if the credentials may order payrolls. A request
        appears within a second of its response. Reading the log, and operations of the sandbox, are
        not logged. A page may have fewer requests than `limit`, or none, although `nextCursor` is
        there: a rare filter is searched in steps.

        Args:
        method: The HTTP method.
        status: Requests with these statuses; errors are 4xx and 5xx.
        path: Requests whose path begins with it.
        error_code: Requests that were rejected with this code.
        from_: Requests received at this time or later.
        before: Requests received before this time.
        page_size: The number of items that one request reads.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return iterate_pages_async(
            lambda position: self.list_requests(
                method=method,
                status=status,
                path=path,
                error_code=error_code,
                from_=from_,
                before=before,
                timeout=timeout,
                cursor=position,
                limit=page_size,
            ),
            lambda page: page.requests,
        )

    async def get_request(
        self,
        svc_request_id: str,
        *,
        timeout: float | None = None,
    ) -> models.LoggedRequestDetails:
        """Get a request.

        A request of the partner with its response, by the `svc-request-id` of the response.

        Args:
        svc_request_id: The `svc-request-id`.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_REQUEST,
            Arguments(
                path={
                    "svcRequestId": svc_request_id,
                },
                timeout=timeout,
            ),
        )

    async def get_sandbox_clock(
        self,
        *,
        timeout: float | None = None,
    ) -> models.SandboxClock:
        """Read the sandbox clock.

        Business time and wall time, and the target of a move in progress.

        Args:
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.GET_SANDBOX_CLOCK,
            Arguments(
                timeout=timeout,
            ),
        )

    async def move_sandbox_clock(
        self,
        body: models.ClockMove,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SandboxClock:
        """Move the sandbox clock.

        What falls due in between happens in order. The answer is 200 when business time has
        arrived. If that takes longer than 5 seconds, the answer is 202 with `movingTo`, and the
        move continues: `GET /api/sandbox/clock` shows `movingTo` until it has ended. Until then
        another move is rejected with 409. Backwards only by `reset`.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.MOVE_SANDBOX_CLOCK,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def decide_sandbox_approval(
        self,
        approval_id: str,
        decision: models.SandboxDecision,
        body: models.SandboxUser,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SandboxScaResult:
        """Simulate the user's decision on an approval.

        Follows the link to the bank and back, for each signature that is missing. Works for
        redirects, apps and codes alike. Repeat it with another `userId` where an account needs two.

        Args:
        approval_id: The approval.
        decision: What the user does at the bank: sign, reject, or leave without deciding.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.DECIDE_SANDBOX_APPROVAL,
            Arguments(
                path={
                    "approvalId": approval_id,
                    "decision": decision,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def decide_sandbox_consent(
        self,
        consent_id: str,
        decision: models.SandboxDecision,
        body: models.SandboxUser,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SandboxScaResult:
        """Simulate the user's decision on a consent.

        Follows the link to the bank and back.

        Args:
        consent_id: The consent.
        decision: What the user does at the bank: sign, reject, or leave without deciding.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.DECIDE_SANDBOX_CONSENT,
            Arguments(
                path={
                    "consentId": consent_id,
                    "decision": decision,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def decide_sandbox_cancellation(
        self,
        cancellation_id: str,
        decision: models.SandboxDecision,
        body: models.SandboxUser,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SandboxScaResult:
        """Simulate the user's decision on a cancellation.

        Follows the link to the bank and back.

        Args:
        cancellation_id: The cancellation.
        decision: What the user does at the bank: sign, reject, or leave without deciding.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.DECIDE_SANDBOX_CANCELLATION,
            Arguments(
                path={
                    "cancellationId": cancellation_id,
                    "decision": decision,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def step_sandbox_onboarding(
        self,
        onboarding_id: str,
        step: models.SandboxOnboardingStep,
        body: models.SandboxOnboardingDetails,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Onboarding:
        """Simulate a step of an onboarding.

        See the onboarding guide for the outcome of each sandbox company. Returns the resulting
        onboarding; 409 if the step is not possible now.

        Args:
        onboarding_id: The onboarding.
        step: The company: `fill` opens the url, enters the data of the registry and confirms it;
                `sign` signs as every signer who has not signed; `refuse` rejects as the next
                signer; `hand-in` uploads a document; `stop` cancels it. The operators, during
                manual review: `accept`, `reject`, `ask-for-documents`.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.STEP_SANDBOX_ONBOARDING,
            Arguments(
                path={
                    "onboardingId": onboarding_id,
                    "step": step,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def step_sandbox_payment(
        self,
        payment_id: str,
        step: models.SandboxPaymentStep,
        body: models.SandboxUser,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PaymentStatus:
        """Simulate a bank event of a payment.

        Returns the resulting status at the bank.

        Args:
        payment_id: The payment.
        step: In the netbank: `sign` and `cancel`. `take-back`: the second signer rejects it.
                `release`: the required SMS confirmation is given. `settle`: the bank books it now.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.STEP_SANDBOX_PAYMENT,
            Arguments(
                path={
                    "paymentId": payment_id,
                    "step": step,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def set_sandbox_payment_status(
        self,
        payment_id: str,
        body: models.SandboxPaymentStatus,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.PaymentStatus:
        """Set a payment's status at its bank.

        It stays until it is set again. Returns the resulting status of the payment.

        Args:
        payment_id: The payment.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.SET_SANDBOX_PAYMENT_STATUS,
            Arguments(
                path={
                    "paymentId": payment_id,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def end_sandbox_consent(
        self,
        consent_id: str,
        body: models.SandboxConsentEnd,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """End a consent at its bank.

        As its user or its bank might, without a notification: it is detected at the next use.

        Args:
        consent_id: The consent.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.END_SANDBOX_CONSENT,
            Arguments(
                path={
                    "consentId": consent_id,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def add_sandbox_entry(
        self,
        bban: str,
        body: models.SandboxEntry,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SandboxEntryBooked:
        """Book an entry on an account.

        As if another bank had sent it. Payments that waited for funds continue at once.

        Args:
        bban: The account.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ADD_SANDBOX_ENTRY,
            Arguments(
                path={
                    "bban": bban,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def open_sandbox_inbox(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SandboxInbox:
        """Open the webhook inbox.

        Returns the URL of an endpoint of ours, the same each time. Deliveries of subscriptions with
        this URL are verified and stored: the newest 100, for 30 days. The console shows them, too.
        Returns 503 if the gateway runs without an inbox.

        Args:
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.OPEN_SANDBOX_INBOX,
            Arguments(
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def list_sandbox_inbox_deliveries(
        self,
        *,
        received_since: AwareDatetime | None = None,
        timeout: float | None = None,
    ) -> list[models.SandboxInboxDelivery]:
        """List what the webhook inbox has received.

        Newest first, the newest 100.

        Args:
        received_since: What was received at this time or later.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.LIST_SANDBOX_INBOX_DELIVERIES,
            Arguments(
                query={
                    "receivedSince": received_since,
                },
                timeout=timeout,
            ),
        )

    async def disturb_sandbox_bank(
        self,
        bic: str,
        body: models.SandboxFault,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Simulate a fault of a bank.

        Lasts until `DELETE /api/sandbox/faults`; `lose-next-answer` applies once.

        Args:
        bic: The bank's BIC.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.DISTURB_SANDBOX_BANK,
            Arguments(
                path={
                    "bic": bic,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def disturb_sandbox_exchange(
        self,
        body: models.SandboxExchangeFault,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Simulate a fault of the FX provider.

        Once, unless `times` says otherwise; `down` until `DELETE /api/sandbox/faults`, which ends
        every fault.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.DISTURB_SANDBOX_EXCHANGE,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def step_sandbox_payout(
        self,
        payment_id: str,
        step: models.SandboxPayoutEvent,
        body: models.SandboxPayoutStep,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SandboxPayout:
        """Simulate an event of the payout of a payment.

        Returns the resulting status at the provider; the payment is updated at the next poll.

        Args:
        payment_id: The payment, one with exchange.
        step: `send`: it is executed and reaches the receiver. `suspend` and `release`: the provider
                holds it, and releases it. `fail`: it cannot be paid. `return`: the receiver’s bank
                returns it.
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.STEP_SANDBOX_PAYOUT,
            Arguments(
                path={
                    "paymentId": payment_id,
                    "step": step,
                },
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def add_sandbox_arrival(
        self,
        body: models.SandboxArrival,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SandboxArrived:
        """Send funds to the FX provider.

        As if another bank had sent it: with the reference of a quote, it books the quote.

        Args:
        body: The body of the request.
        idempotency_key: Makes repetitions safe; the client makes one for each call and uses it for
                its own retries.
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.ADD_SANDBOX_ARRIVAL,
            Arguments(
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
            ),
        )

    async def heal_sandbox_banks(
        self,
        *,
        timeout: float | None = None,
    ) -> None:
        """Clear simulated faults.

        All banks of the sandbox respond normally again.

        Args:
        timeout: Seconds to wait for the response of one attempt, in place of the setting of the
                client.
        """
        return await self._call(
            operations.HEAL_SANDBOX_BANKS,
            Arguments(
                timeout=timeout,
            ),
        )
