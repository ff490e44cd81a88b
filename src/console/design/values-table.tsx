interface ValuesTableProps {
  caption: string
  /** The heading of the days. */
  heading: string
  days: readonly string[]
  series: readonly { label: string; data: readonly (number | null)[] }[]
}

/** The values of a picture, for screen readers. */
export const ValuesTable = ({ caption, heading, days, series }: ValuesTableProps) => (
  <div className="visually-hidden">
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th>{heading}</th>
          {series.map(({ label }) => (
            <th key={label}>{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, at) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            {series.map(({ label, data }) => (
              <td key={label}>{data[at]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
