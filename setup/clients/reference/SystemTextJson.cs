// What the examples use of System.Text.Json, which .NET has and Mono has not.
using System.Collections.Generic;
using System.Web.Script.Serialization;

namespace System.Text.Json {
    public static class JsonSerializer {
        public static string Serialize(object value) { return new JavaScriptSerializer().Serialize(value); }
    }

    public sealed class JsonDocument {
        public JsonElement RootElement { get; private set; }

        public static JsonDocument Parse(string text) {
            return new JsonDocument { RootElement = new JsonElement(new JavaScriptSerializer().DeserializeObject(text)) };
        }
    }

    public struct JsonElement {
        readonly object value;

        internal JsonElement(object value) { this.value = value; }

        public JsonElement this[int index] { get { return new JsonElement(((object[])value)[index]); } }

        public JsonElement GetProperty(string name) {
            return new JsonElement(((Dictionary<string, object>)value)[name]);
        }

        public string GetString() { return (string)value; }
    }
}
