//! Orders of a shop, one JSON record a line: what customers spend, what is bought together, and what sells.
//!
//! `orders [FILE.jsonl]`: without a file the orders below.

use std::collections::BTreeMap;
use std::{env, fs};

use extype::prelude::*;
use extype_ragged::RowPartition;
use extype_structured::{Structured, Value};

const ORDERS: &str = r#"
{"customer": "Ines", "day": 3, "items": [{"name": "espresso", "price": 9.5, "count": 2}, {"name": "filters", "price": 4.2, "count": 1}]}
{"customer": "Jon", "day": 3, "items": [{"name": "grinder", "price": 129.0, "count": 1}]}
{"customer": "Mara", "day": 4, "items": [{"name": "decaf", "price": 10.0, "count": 1}, {"name": "filters", "price": 4.2, "count": 2}, {"name": "kettle", "price": 58.0, "count": 1}]}
{"customer": "Ines", "day": 9, "items": [{"name": "espresso", "price": 9.5, "count": 3}]}
{"customer": "Timo", "day": 11, "items": []}
{"customer": "Mara", "day": 12, "items": [{"name": "decaf", "price": 10.0, "count": 2}]}
{"customer": "Ines", "day": 16, "items": [{"name": "espresso", "price": 9.8, "count": 2}, {"name": "kettle", "price": 55.0, "count": 1}]}
{"customer": "Jon", "day": 17, "items": [{"name": "espresso", "price": 9.8, "count": 1}, {"name": "filters", "price": 4.2, "count": 4}]}
"#;

fn value(json: serde_json::Value) -> std::result::Result<Value, String> {
    use serde_json::Value as Json;
    Ok(match json {
        Json::Null => return Err("`null` is no value of a record".to_owned()),
        Json::Bool(x) => x.into(),
        Json::Number(x) => match x.as_i64() {
            Some(x) => x.into(),
            None => x.as_f64().ok_or("a number beyond floats")?.into(),
        },
        Json::String(x) => x.into(),
        Json::Array(items) => {
            items.into_iter().map(value).collect::<std::result::Result<Vec<_>, _>>()?.into()
        }
        Json::Object(fields) => Value::Record(
            fields
                .into_iter()
                .map(|(name, x)| Ok((name, value(x)?)))
                .collect::<std::result::Result<_, String>>()?,
        ),
    })
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let text = match env::args_os().nth(1) {
        Some(path) => fs::read_to_string(path)?,
        None => ORDERS.to_owned(),
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let records = lines.map(|line| Ok(value(serde_json::from_str(line)?)?));
    let records = records.collect::<std::result::Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    let orders = Structured::of(&Value::List(records))?;

    // One number for each item, then for each order.
    let cost = ops::mul(
        &orders.values(&["items", "price"])?,
        &ops::cast(&orders.values(&["items", "count"])?, f64)?,
    )?;
    let total = ops::reduce_sum(&cost, 1, false)?;
    let orders = orders
        .with_updates([
            (&["items", "cost"][..], Some(cost.into())),
            (&["total"], Some(total.into())),
        ])?
        .promote(&["items", "name"], "names")?;
    println!("{} orders:", orders.shape());
    for i in 0..orders.shape().dim(0)?.size().unwrap_or(0) {
        let order = orders.at(i as i64)?;
        let field = |name: &str| Ok::<_, Error>(order.values(&[name])?.to_string());
        println!("  {:>7}  {}  {}", field("total")?, field("customer")?, field("names")?);
    }

    // The orders of each customer, side by side, and their items as one list.
    let customers = orders.values(&["customer"])?.into_tensor()?;
    let by_name = customers.argsort(0)?;
    let mut names = customers.gather(&by_name, 0)?.to_strings()?;
    let lengths: Vec<i64> = names.chunk_by(|a, b| a == b).map(|own| own.len() as i64).collect();
    names.dedup();
    let customers = orders.take(&by_name)?.partition(RowPartition::from_lengths(lengths)?)?;
    let items = customers.records(&["items"])?.merge(1, 2)?;
    let spent = ops::reduce_sum(&items.values(&["cost"])?, 1, false)?.into_tensor()?;
    println!("\nCustomers:");
    for (i, (name, spent)) in names.iter().zip(spent.to_vec::<f64>()?).enumerate() {
        let days = customers.values(&["day"])?.get(i as i64)?;
        println!("  {spent:>7.2}  {name}, {} items on days {days}", items.at(i as i64)?.shape());
    }

    // What sells, over all orders.
    let items = orders.records(&["items"])?.merge(0, 1)?;
    let names = items.values(&["name"])?.into_tensor()?.to_strings()?;
    let costs = items.values(&["cost"])?.into_tensor()?.to_vec::<f64>()?;
    let mut sold: BTreeMap<String, f64> = BTreeMap::new();
    names.into_iter().zip(costs).for_each(|(name, cost)| *sold.entry(name).or_default() += cost);
    let mut sold: Vec<_> = sold.into_iter().collect();
    sold.sort_by(|a, b| b.1.total_cmp(&a.1));
    println!("\nSold:");
    sold.iter().for_each(|(name, sum)| println!("  {sum:>7.2}  {name}"));
    Ok(())
}
