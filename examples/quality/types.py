"""The types that the documents are read into: flat and nested, with descriptions where a name alone says too little."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Currency = Literal["EUR", "USD", "GBP", "CHF", "NOK", "SEK", "CAD"]


class Record(BaseModel):
    """No other fields than those that are named."""

    model_config = ConfigDict(extra="forbid")


class Item(Record):
    description: str
    quantity: float
    unit_price: float


class Invoice(Record):
    vendor: Annotated[str, Field(description="the company that wants the money")]
    customer: str
    invoice_number: str
    date: Annotated[dt.date, Field(description="when the invoice was issued")]
    due_date: dt.date | None
    items: list[Item]
    total: Annotated[float, Field(description="what is to be paid, with tax")]
    currency: Currency


class Job(Record):
    title: str
    company: str
    start_year: int
    end_year: Annotated[int | None, Field(description="null: still there")]


class Cv(Record):
    name: str
    email: str | None
    phone: str | None
    city: Annotated[str | None, Field(description="where the person lives")]
    jobs: Annotated[list[Job], Field(description="in the order of the text")]
    languages: list[str]
    has_driving_licence: bool | None


class Measurement(Record):
    name: str
    value: float
    unit: str
    flag: Literal["low", "normal", "high"]


class LabReport(Record):
    patient: str
    date_of_birth: dt.date | None
    laboratory: str
    collected: Annotated[dt.date, Field(description="when the sample was taken")]
    measurements: list[Measurement]
    signed_by: str | None


class Lease(Record):
    landlord: str
    tenant: str
    address: Annotated[str, Field(description="of what is let")]
    monthly_rent: float
    deposit: float | None
    start: dt.date
    notice_months: int | None
    pets_allowed: bool | None


class Service(Record):
    client: str
    provider: str
    fee: float
    fee_per: Literal["hour", "day", "month", "project"]
    currency: Currency
    start: dt.date
    end: dt.date | None
    notice_days: int | None
    governing_law: Annotated[str | None, Field(description="the country or state whose law holds")]


class Product(Record):
    name: str
    brand: str | None
    price: float
    old_price: float | None
    currency: Currency
    colors: list[str]
    weight_kg: float | None
    in_stock: bool
    rating: float | None
    warranty_years: int | None


class Votes(Record):
    in_favour: int
    against: int
    abstained: int


class Action(Record):
    person: str
    due: dt.date | None


class Minutes(Record):
    meeting: str
    date: dt.date
    chair: str
    present: Annotated[list[str], Field(description="all who were there, the chair too")]
    absent: list[str]
    votes: Annotated[Votes | None, Field(description="of the only vote")]
    actions: Annotated[list[Action], Field(description="who has to do something, and until when")]
    next_meeting: dt.date | None


class StockRow(Record):
    sku: str
    product: str
    stock: int
    price: float | None


class Stock(Record):
    warehouse: str
    date: dt.date
    rows: list[StockRow]


class Departure(Record):
    destination: str
    time: str
    platform: str | None
    is_cancelled: bool


class Departures(Record):
    station: str
    departures: list[Departure]


class Result(Record):
    team: str
    played: int
    won: int
    points: int


class Ranking(Record):
    league: str
    season: str
    results: list[Result]


class Expense(Record):
    date: dt.date
    category: str
    amount: float
    is_refunded: bool


class Expenses(Record):
    employee: str
    expenses: list[Expense]


class Reading(Record):
    sensor: str
    temperature: float | None
    humidity: int | None


class Readings(Record):
    site: str
    readings: list[Reading]


class Booking(Record):
    name: Annotated[str, Field(description="in whose name the booking is")]
    date: dt.date | None
    time: str | None
    people: int | None
    phone: str | None
    place: str | None
    status: Literal["confirmed", "cancelled", "open"]


class Ticket(Record):
    customer: str
    order_number: str | None
    product: str
    problem: Literal["not delivered", "damaged", "wrong item", "defect", "other"]
    wants: Literal["refund", "replacement", "repair", "information"]
    agent: str | None


class Receipt(Record):
    shop: str
    city: str | None
    date: dt.date
    time: str | None
    total: float
    tax: float | None
    currency: Currency
    payment: Literal["cash", "card"]


class Address(Record):
    street: str
    postcode: str
    city: str


class Letter(Record):
    sender: str
    recipient: str
    recipient_address: Address
    date: dt.date
    reference: str | None
    deadline: Annotated[dt.date | None, Field(description="until when the recipient must do something")]


class Flat(Record):
    rooms: float
    area_m2: float
    rent: Annotated[float, Field(description="a month, without heating")]
    heating_costs: float | None
    floor: int | None
    available_from: dt.date | None
    district: str | None
    contact: str | None
    has_balcony: bool


class Event(Record):
    title: str
    date: dt.date
    start_time: str | None
    venue: str
    city: str
    admission: Annotated[float | None, Field(description="for adults; 0 if free")]
    organizer: str | None


TYPES: dict[str, type[Record]] = {
    one.__name__: one
    for one in (
        *(Invoice, Cv, LabReport, Lease, Service, Product, Minutes, Stock, Departures, Ranking, Expenses, Readings),
        *(Booking, Ticket, Receipt, Letter, Flat, Event),
    )
}
